import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { after, describe, test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { defaultTimeouts } from '../../../lib/database/postgres/connect.js';
import { Postgres } from '../../../lib/database/postgres/postgres.js';
import { systemClock } from '../../../lib/runtime/clock.js';
import { allSchemas } from '../../../src/compose/database-tables.js';
import { openDatabase } from '../../../src/compose/open-postgres.js';
import { openDirectory } from '../../../src/compose/open-store.js';
import type { OpenStore } from '../../../src/compose/stores.js';
import type { UsageQueries } from '../../../src/service/usage/usage-queries.js';
import { type LongHistory, testLongReads } from '../../service/usage/long-reads.js';
import { LoopWatch } from '../../support/loop-watch.js';
import { ownTime } from '../../support/own-time.js';
import { makeTestDatabase, skipWithoutPostgres } from '../../support/postgres.js';
import { testServer } from '../../support/server.js';
import { keepElsewhere, type ServerStores } from '../../support/server-store.js';
import { Browser } from '../dashboard/support/browser.js';

/** Milliseconds for which a request may hold the event loop, and after which it must be answered. */
const [maxTurn, maxAnswer] = [20, 100];
const rows = 1_000_000;
const end = Date.UTC(2026, 10, 5, 11);
const begin = end - 20 * 3_600_000;

/** Calls that failed, most of one day: they cost nothing, and one key makes some 20,000 a minute. */
const callsOf = (account: string, n: string, id: string) => `INSERT INTO usage
  (id, account, created_at, charged_at, endpoint, status, error_code, credits_charged, credits_refunded, key_id, key_name)
  SELECT ${id}, '${account}', ${begin} + n / 20, ${begin} + n / 20,
    CASE WHEN n = 7 THEN 'maps/photos' ELSE 'maps/place' END, 'failed', 'invalid_parameter', 0, 3, 'key_1', 'one'
  FROM ${n}`;
const sums = `INSERT INTO usage_sums SELECT account, created_at / 86400000 * 86400000, endpoint, key_id, count(*), count(*), 0
  FROM usage GROUP BY 1, 2, 3, 4`;

/** A store, and how the calls of an account come into it. */
interface FilledStore {
  readonly open: ServerStores['open'];
  usage(): UsageQueries;
  fill(account: string): Promise<void>;
}

function inDirectory(): FilledStore {
  let opened: Awaited<ReturnType<typeof openDirectory>>;
  return {
    async open(home, clock, credits) {
      opened = await openDirectory(home, clock, credits);
      return opened;
    },
    usage: () => opened.usage,
    async fill(account) {
      const { db } = opened.database;
      db.exec(`CREATE TEMP TABLE numbers AS
        WITH RECURSIVE calls (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM calls WHERE n + 1 < ${rows}) SELECT n FROM calls;
        ${callsOf(account, 'numbers', `'req_' || printf('%07d', n)`)}; DROP TABLE numbers; ${sums}`);
      // As of rows that came one after the other: the log of writes is short.
      db.pragma('wal_checkpoint(TRUNCATE)');
    },
  };
}

function inDatabase(): FilledStore {
  let config: Awaited<ReturnType<typeof makeTestDatabase>>['config'];
  let store: OpenStore;
  return {
    async open(home, clock, trialCredits): Promise<OpenStore> {
      const testDatabase = await makeTestDatabase(allSchemas());
      config = testDatabase.config;
      store = await openDatabase(config, { home, clock, trialCredits });
      return {
        ...store,
        async close() {
          await store.close();
          await testDatabase.drop();
        },
      };
    },
    usage: () => store.usage,
    async fill(account) {
      const timeouts = { ...defaultTimeouts, statement: 300_000, answer: 300_000 };
      const postgres = await Postgres.open(config, systemClock, timeouts);
      await postgres.write(async (queries) => {
        // To sort all rows into an index takes a third of the time of adding one after the other.
        const indexes = await queries.rows<{ name: string; made: string }>(
          `SELECT indexname AS name, indexdef AS made FROM pg_indexes WHERE tablename = 'usage' AND indexdef NOT LIKE '%UNIQUE%'`,
        );
        for (const { name } of indexes) await queries.run(`DROP INDEX ${name}`);
        await queries.run(
          callsOf(account, `generate_series(0, ${rows - 1}) n`, `'req_' || lpad(n::text, 7, '0')`),
        );
        for (const { made } of indexes) await queries.run(made);
        await queries.run(sums);
      });
      await postgres.write((queries) => queries.run('ANALYZE usage'));
      await postgres.close();
    },
  };
}

/** A server over such a store. */
interface ServedHistory {
  readonly history: LongHistory;
  /** Sends it a request from a separate thread. */
  ask(address: string): Promise<string>;
}

async function served(store: FilledStore): Promise<ServedHistory> {
  keepElsewhere(store);
  const server = await testServer({ pages: true, config: { allowedHosts: ['*'] } });
  const { id, secret } = await server.account({ email: 'long@example.com', verified: true });
  await store.fill(id);
  await server.app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = server.app.server.address() as AddressInfo;
  const client = new Worker(new URL('../../support/raw-client.ts', import.meta.url));
  after(() => client.terminate());
  const browser = new Browser(server.app);
  await browser.submit(await browser.get('/sign-in'), 'form', { email: 'long@example.com' });
  await browser.openLink(server.mailer.token());
  const cookie = browser.jar.getCookieStringSync('http://localhost/');
  return {
    history: { usage: store.usage(), account: id },
    async ask(url) {
      const rights = url.startsWith('/v1/') ? `Authorization: Bearer ${secret}` : `Cookie: ${cookie}`;
      client.postMessage({
        port,
        head: [`GET ${url} HTTP/1.1`, `Host: 127.0.0.1:${port}`, rights],
        body: null,
      });
      const [answer] = (await once(client, 'message')) as [string];
      return answer;
    },
  };
}

const year = 'from=2025-11-10&to=2026-11-05';
const addresses = [
  ...[
    '',
    '?limit=100',
    '?endpoint=maps/photos',
    '?endpoint=shortvideo/video',
    '?job_id=job_1',
    '?to=2026-11-05',
  ].map((query) => `/v1/usage${query}`),
  '/v1/account',
  '/dashboard',
  ...['', `?${year}`].flatMap((query) => [`/dashboard/usage${query}`, `/dashboard/usage.csv${query}`]),
  ...[
    '',
    '?code=platform_blocked',
    '?endpoint=zzz',
    '?status=ok',
    `?before=${begin + 25_000_000}-req_0500000&endpoint=zzz`,
  ].map((query) => `/dashboard/requests${query}`),
  ...['/dashboard/requests/req_0500000', '/dashboard/keys', '/dashboard/jobs', '/dashboard/schedules'],
  ...['/dashboard/settings', '/dashboard/packs'],
];

const stores: [name: string, store: FilledStore][] = [['a data directory', inDirectory()]];
if (skipWithoutPostgres === false) stores.push(['PostgreSQL', inDatabase()]);
const servers: [name: string, served: ServedHistory][] = [];
for (const [name, store] of stores) servers.push([name, await served(store)]);
const watch = new LoopWatch();
after(() => watch.stop());

for (const [name, { history, ask }] of servers) {
  describe(`a history of ${rows} calls that cost nothing, in ${name}`, () =>
    testLongReads(history, new Date(begin + 1000).toISOString()));

  describe(`an account with ${rows} calls in ${name}, over its sockets`, () => {
    for (const address of addresses) {
      test(`${address}: the loop is held ${maxTurn} ms at most, and the answer takes ${maxAnswer}`, async () => {
        assert.match(await ask(address), /^HTTP\/1\.1 200 /);
        const [turns, times] = [[] as number[], [] as number[]];
        for (let count = 0; count < 5; count += 1) {
          await new Promise(setImmediate);
          watch.take();
          const startedAt = ownTime();
          await ask(address);
          times.push(ownTime() - startedAt);
          await new Promise(setImmediate);
          turns.push(watch.take());
        }
        // Other processes take some of the time, so the fastest of five requests is the best estimate.
        assert.ok(Math.min(...turns) <= maxTurn, `${turns.map((ms) => ms.toFixed(0))} ms in one turn`);
        assert.ok(Math.min(...times) <= maxAnswer, `${times.map((ms) => ms.toFixed(0))} ms`);
      });
    }
  });
}
