import assert from 'node:assert/strict';
import path from 'node:path';
import { after, describe, type TestContext, test } from 'node:test';
import pg from 'pg';
import { connectAlone, defaultTimeouts } from '../../../lib/database/postgres/connect.js';
import { migrateDatabase } from '../../../lib/database/postgres/migrate.js';
import { postgresFault } from '../../../lib/database/postgres/postgres-fault.js';
import type { LibrarySchema } from '../../../lib/database/postgres/table-schema.js';
import { endpoints } from '../../../lib/endpoints.js';
import { systemClock } from '../../../lib/runtime/clock.js';
import { allSchemas } from '../../../src/compose/database-tables.js';
import { openDatabase } from '../../../src/compose/open-postgres.js';
import { refusal } from '../../ledger/ledger-port.js';
import { awakeTime } from '../../support/awake-time.js';
import { databaseRelay } from '../../support/database-relay.js';
import { makeTestDatabase, skipWithoutPostgres } from '../../support/postgres.js';
import { serveHome } from '../../support/serve-home.js';
import { queryOf, testServer } from '../../support/server.js';
import { keepElsewhere } from '../../support/server-store.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

/** Milliseconds after which no request may still be waiting. */
const promptMs = 6_000;
/** Longer than a machine ever stalls. */
const longMs = 60_000;

/** A server over a database that can be disturbed, with an account and a question whose answer it can read. */
async function disturbed(timeouts: Partial<typeof defaultTimeouts> = {}) {
  const database = await makeTestDatabase(allSchemas());
  const relay = await databaseRelay(database.config.url);
  keepElsewhere({
    async open(home, clock, trialCredits) {
      const short = { connect: 1_000, lock: 2_000, statement: 2_500, answer: 3_000 };
      const store = await openDatabase(
        { url: relay.url, connections: 3 },
        { home, clock, trialCredits, timeouts: { ...defaultTimeouts, ...short, ...timeouts } },
      );
      return {
        ...store,
        async close() {
          await store.close();
          relay.close();
          await database.drop();
        },
      };
    },
  });
  const server = await testServer();
  const endpoint = endpoints.find(({ path }) => path === 'shortvideo/profile') ?? assert.fail();
  await server.serve(endpoint);
  const { id, secret } = await server.account({ credits: 50_000 });
  const url = `/v1/${endpoint.path}?${await queryOf(endpoint)}`;
  const balance = async () => (await server.ledger.balance(id)).credits;
  const client = new pg.Client({ connectionString: database.config.url });
  // It ends with the database.
  client.on('error', () => undefined);
  await client.connect();
  after(() => client.end());
  const health = () => {
    // A look at the ledger holds for a second.
    server.clock.time += 1_000;
    return server.ask('/healthz');
  };
  return {
    ...{ server, relay, client, balance },
    ask: (fresh = false) => server.ask(fresh ? `${url}&fresh=true` : url, secret),
    health,
    account: () => server.ask('/v1/account', secret),
    /** Asserts that calls are refused in time, with why and when to come again. */
    async refuses(message: RegExp, retryAfter: RegExp, ask: () => ReturnType<typeof server.ask>) {
      const began = awakeTime();
      const { status, body, headers } = await ask();
      assert.ok(awakeTime() - began < promptMs);
      assert.deepEqual([status, body.error.code], [500, 'internal_error']);
      assert.match(body.error.message ?? '', message);
      assert.match(String(headers['retry-after']), retryAfter);
    },
    /** Resolves when calls are answered again. */
    async untilWell() {
      let last = '';
      for (const until = awakeTime() + 10_000; awakeTime() < until; ) {
        const [call, state] = [await server.ask(url, secret), await health()];
        if (call.status === 200 && state.status === 200) return;
        last = call.text + state.text;
      }
      assert.fail(`It does not get well: ${last}`);
    },
  };
}

describe('a server whose database', { skip: skipWithoutPostgres }, () => {
  test('is unreachable refuses immediately, is unhealthy, charges nothing, and recovers', async () => {
    const { ask, health, refuses, relay, balance, untilWell } = await disturbed();
    assert.equal((await ask()).status, 200);
    const before = await balance();
    relay.set('cut');
    await refuses(/cannot be reached|unknown whether it was saved/, /^2$/, () => ask());
    await refuses(/The database cannot be reached/, /^2$/, () => ask(true));
    await refuses(/The database cannot be reached/, /^2$/, health);
    relay.set('pass');
    await untilWell();
    // What was answered since, and nothing else.
    const answered = await ask();
    assert.equal(answered.status, 200);
    assert.equal(answered.body.meta.credits_remaining, await balance());
    assert.ok((await balance()) < before);
  });

  test('says nothing more is not waited for without end', async () => {
    const { ask, health, refuses, relay, untilWell } = await disturbed();
    assert.equal((await ask()).status, 200);
    relay.set('mute');
    await refuses(/did not respond in time|cannot be reached|unknown whether it was saved/, /^[25]$/, () =>
      ask(),
    );
    assert.equal((await health()).status, 500);
    relay.set('pass');
    await untilWell();
  });

  test('is a read-only standby is recognised, and read from', async () => {
    const { ask, account, refuses, client, relay, untilWell } = await disturbed();
    assert.equal((await ask()).status, 200);
    const { rows } = await client.query<{ name: string }>('SELECT current_database() AS name');
    const [{ name = '' } = {}] = rows;
    await client.query(`ALTER DATABASE ${name} SET default_transaction_read_only = on`);
    relay.set('cut');
    relay.set('pass');
    // The first may meet a connection that has ended.
    await ask();
    await refuses(/read-only standby.*primary/, /^5$/, () => ask());
    assert.equal((await account()).status, 200);
    await client.query('SET default_transaction_read_only = off');
    await client.query(`ALTER DATABASE ${name} RESET default_transaction_read_only`);
    await untilWell();
  });

  test('is locked by somebody refuses what must wait for too long', async () => {
    const others = { connect: longMs, statement: longMs, answer: longMs };
    const { ask, account, refuses, client, untilWell } = await disturbed(others);
    assert.equal((await ask()).status, 200);
    await client.query('BEGIN; LOCK TABLE balances');
    await refuses(/locked for too long/, /^1$/, () => ask());
    await refuses(/locked for too long/, /^1$/, account);
    await client.query('ROLLBACK');
    await untilWell();
  });

  test('has no free connection refuses, naming the setting that raises the limit', async () => {
    const others = { lock: longMs, statement: longMs, answer: longMs };
    const { ask, account, server, client, refuses, untilWell } = await disturbed(others);
    assert.equal((await ask()).status, 200);
    await client.query('BEGIN; LOCK TABLE usage');
    const waiting = [1, 2, 3].map(() => server.ledger.usage('nobody', { limit: 1 }).catch(() => undefined));
    await refuses(/All connections.*EXTRACT_DATABASE_CONNECTIONS/, /^1$/, account);
    await client.query('ROLLBACK');
    await Promise.all(waiting);
    await untilWell();
  });
});

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
