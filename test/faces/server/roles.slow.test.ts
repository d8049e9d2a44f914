import assert from 'node:assert/strict';
import path from 'node:path';
import { afterEach, describe, test } from 'node:test';
import { allSchemas } from '../../../src/compose/database-tables.js';
import { noteAddress, notedAddress } from '../../../src/compose/server-address.js';
import { serverRoles } from '../../../src/config/server-config.js';
import { refusal } from '../../ledger/ledger-port.js';
import { makeTestDatabase, skipWithoutPostgres } from '../../support/postgres.js';
import { serveHome } from '../../support/serve-home.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const folder = temporaryFolder();

const worker = (name: string) => serveHome(path.join(folder, name), { server: { roles: ['worker'] } });

afterEach(() => {
  delete process.env.EXTRACT_DATABASE_URL;
});

describe('the role of a server', () => {
  test('is read from a text, in any order and case', () => {
    assert.deepEqual(serverRoles('api,worker', 'It'), ['api', 'worker']);
    assert.deepEqual(serverRoles('Worker, API', 'It'), ['api', 'worker']);
    assert.deepEqual(serverRoles('worker', 'It'), ['worker']);
    for (const wrong of ['', 'apis', 'api,both']) {
      assert.throws(() => serverRoles(wrong, 'It'), refusal('invalid_parameter', /api, worker, or both/));
    }
  });

  test('is both if the data directory is not shared', async () => {
    await assert.rejects(worker('alone'), refusal('invalid_parameter', /Set EXTRACT_DATABASE_URL/));
  });

  test('worker: it serves health and metrics, and answers no calls', {
    skip: skipWithoutPostgres,
  }, async () => {
    const database = await makeTestDatabase(allSchemas());
    process.env.EXTRACT_DATABASE_URL = database.config.url;
    const running = await worker('worker');
    const home = path.join(folder, 'worker');
    noteAddress(home, 'http://localhost:8787');
    try {
      assert.equal(running.adminLink, null);
      const statusOf = async (url: string) => {
        const answer = await fetch(running.url + url);
        return [answer.status, await answer.text()] as const;
      };
      assert.equal((await statusOf('/healthz'))[0], 200);
      const [status, metrics] = await statusOf('/metrics');
      assert.equal(status, 200);
      assert.match(metrics, /^extract_database_connections\{state="free"\} \d+$/m);
      const calls = ['/v1/account', '/v1/maps/place?demo=true', '/mcp', '/', '/dashboard', '/openapi.json'];
      for (const url of calls) {
        assert.equal((await statusOf(url))[0], 404, url);
      }
    } finally {
      await running.stop();
      await database.drop();
    }
    // It is the address of another server, which answers calls.
    assert.equal(notedAddress(home), 'http://localhost:8787');
  });
});
