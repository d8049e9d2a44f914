import assert from 'node:assert/strict';
import path from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { connectAlone, defaultTimeouts } from '../../../lib/database/postgres/connect.js';
import { migrateDatabase } from '../../../lib/database/postgres/migrate.js';
import { postgresFault } from '../../../lib/database/postgres/postgres-fault.js';
import type { LibrarySchema } from '../../../lib/database/postgres/table-schema.js';
import { systemClock } from '../../../lib/runtime/clock.js';
import { allSchemas } from '../../../src/compose/database-tables.js';
import { refusal } from '../../ledger/ledger-port.js';
import { awakeTime } from '../../support/awake-time.js';
import { databaseRelay } from '../../support/database-relay.js';
import { makeTestDatabase, skipWithoutPostgres } from '../../support/postgres.js';
import { serveHome } from '../../support/serve-home.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

/** A database by a way that can fall silent. */
async function relayed(t: TestContext) {
  const database = await makeTestDatabase(allSchemas());
  const relay = await databaseRelay(database.config.url);
  t.after(async () => {
    relay.close();
    await database.drop();
  });
  return relay;
}

describe('a database that says nothing more', { skip: skipWithoutPostgres }, () => {
  test('delays neither the stop of a server nor its health and metrics', async (t) => {
    const relay = await relayed(t);
    process.env.EXTRACT_DATABASE_URL = relay.url;
    t.after(() => {
      delete process.env.EXTRACT_DATABASE_URL;
    });
    const lines: string[] = [];
    const running = await serveHome(path.join(temporaryFolder(), 'home'), {
      ...{ config: { browser: 'never' }, server: { metricsOpen: true }, lines, drainMs: 100 },
    });
    relay.set('mute');
    const began = awakeTime();
    const [health, numbers] = await Promise.all([
      fetch(`${running.url}/healthz`),
      fetch(`${running.url}/metrics`),
    ]);
    assert.equal(health.status, 500);
    assert.match(await health.text(), /did not respond in time/);
    assert.equal(numbers.status, 200);
    const text = await numbers.text();
    // Omits what cannot be read now, and includes the rest.
    assert.doesNotMatch(text, /^extract_(cooldown_seconds|queue_jobs)[ {]/m);
    assert.match(text, /^extract_database_connections\{state="waiting"\}/m);
    assert.ok(awakeTime() - began < 8_000);
    const stopBegan = awakeTime();
    await running.stop();
    assert.ok(awakeTime() - stopBegan < 6_000, `${awakeTime() - stopBegan} ms`);
    assert.match(lines.join(''), /stopped without closing its stores/);
  });

  test('is named by connections, and by checks of its tables', async (t) => {
    const relay = await relayed(t);
    let requests = 0;
    const falling: LibrarySchema = {
      name: 'falling',
      expected: 1,
      async version(queries) {
        relay.set('mute');
        requests += 1;
        return (await queries.first<{ readonly one: number }>('SELECT 1 AS one'))?.one ?? 0;
      },
      migrate: async () => undefined,
    };
    const clock = {
      ...systemClock,
      alarm: (ms: number, onAlarm: () => void) => systemClock.alarm(Math.min(ms, 500), onAlarm),
    };
    await assert.rejects(
      migrateDatabase(relay.url, [falling], clock),
      refusal('internal_error', /did not respond in time/),
    );
    assert.equal(requests, 1);
    const connecting = connectAlone(relay.url, 'test', { ...defaultTimeouts, connect: 100 });
    await assert.rejects(
      connecting.catch((cause: unknown) => Promise.reject(postgresFault(cause))),
      refusal('internal_error', /cannot be reached/),
    );
  });
});
