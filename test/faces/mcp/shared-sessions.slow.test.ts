import assert from 'node:assert/strict';
import { mkdtempSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, type TestContext, test } from 'node:test';
import { systemClock } from '../../../lib/runtime/clock.js';
import {
  PostgresExpiringStore,
  transientSchema,
} from '../../../src/service/expiring-store/postgres/postgres-expiring-store.js';
import { type OpenTestDatabase, openTestDatabase, skipWithoutPostgres } from '../../support/postgres.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { anyEndpoint, sampleCase, silentPages } from './call-tool.js';
import { hello, post, serveTools } from './server-harness.js';

const folder = temporaryFolder();

describe('sessions of two servers of a database', { skip: skipWithoutPostgres }, () => {
  let database: OpenTestDatabase;
  before(async () => {
    database = await openTestDatabase([transientSchema]);
  });
  after(() => database.close());

  /** Two servers, with a key of the account that both know. */
  async function two(t: TestContext) {
    const home = mkdtempSync(path.join(folder, 'home-'));
    const pages = silentPages();
    const serve = () =>
      serveTools(t, {
        home,
        pages,
        expiringStore: new PostgresExpiringStore(database.postgres),
      });
    const one = await serve();
    const other = await serve();
    const { secret, account } = await one.holder();
    const bearer = { Authorization: `Bearer ${secret}` };
    const opened = await post(one.url, hello, bearer);
    const session = { ...bearer, 'Mcp-Session-Id': opened.headers.get('Mcp-Session-Id') ?? '' };
    await opened.text();
    return { one, other, session, account, onRequest: pages.onRequest };
  }

  const message = (method: string, params = {}, id = 7) => ({ jsonrpc: '2.0', id, method, params });
  const toolCall = (name: string, args: object, id?: number) =>
    message('tools/call', { name, arguments: args }, id);

  test('a call cancelled through the other server is aborted and refunded', async (t) => {
    const { one, other, session, account, onRequest } = await two(t);
    const { params } = await sampleCase(anyEndpoint);
    const before = (await one.ledger.balance(account)).credits;
    const calling = post(one.url, toolCall(anyEndpoint.operation, params, 11), session).then((r) => r.text());
    await onRequest;
    assert.ok((await one.ledger.balance(account)).credits < before);
    const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 11 } };
    assert.equal((await post(other.url, cancel, session)).status, 202);
    await calling;
    while ((await one.ledger.balance(account)).credits !== before) await systemClock.sleep(20);
  });
});
