// A server's state in PostgreSQL, with durable commits, beside the ledger in a file. It measures the hot account's
// payments a second in one process and in two. It measures the queries of pages over a history of many calls. Then come
// the API and the dashboard of a server over it. `npm run bench postgres 10000000` says how many calls.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { readConfig } from '../../lib/config.js';
import { migrationTimeouts } from '../../lib/database/postgres/connect.js';
import { Postgres } from '../../lib/database/postgres/postgres.js';
import { endpoints } from '../../lib/endpoints.js';
import { grant } from '../../lib/ledger/entries.js';
import { openLedger } from '../../lib/ledger/sqlite/sqlite-ledger.js';
import { systemClock } from '../../lib/runtime/clock.js';
import { openDatabase } from '../../src/compose/open-postgres.js';
import { serve } from '../../src/compose/serve.js';
import { readHostingConfig } from '../../src/config/hosting-config.js';
import { readServerConfig } from '../../src/config/server-config.js';
import { Sessions } from '../../src/service/accounts/sign-in/sessions.js';
import { LedgerUsage } from '../../src/service/usage/ledger-usage.js';
import type { CallsQuery } from '../../src/service/usage/usage-queries.js';
import { fromSource } from '../support/from-source.js';
import { makeCluster, withoutPostgres } from '../support/postgres-cluster.js';
import { median } from './compare.js';
import { allCores, confineTo, halfOfCores } from './cores.js';

const rows = Number(process.argv[2] ?? 1_000_000);
const rounds = 3;
const seconds = 2;
const day = 24 * 3_600_000;
const end = Date.UTC(2026, 10, 1);
const begin = end - 365 * day;

if (withoutPostgres !== null) {
  console.log(withoutPostgres);
  process.exit();
}

const program = path.join(path.dirname(fileURLToPath(import.meta.url)), 'ledger-program.ts');
const folder = mkdtempSync(path.join(os.tmpdir(), 'extract-bench-'));
const file = path.join(folder, 'ledger.db');
const cluster = await makeCluster({
  isDurable: true,
  settings: { shared_buffers: '256MB', max_wal_size: '4GB', maintenance_work_mem: '256MB' },
});
const config = { url: cluster.url, connections: 4 };
const store = await openDatabase(config, { home: folder, clock: systemClock, trialCredits: 0 });
const email = 'ann@example.com';
const { id: mine } = await store.accounts.create({ email, verified: true, credits: 1_000 });
const { secret: key } = await store.accounts.createKey({ account: mine, name: 'bench', platforms: null });
await store.close();
const postgres = await Postgres.open(config, systemClock, migrationTimeouts);
const pack = {
  id: 'hot',
  account: 'hot',
  credits: 1_000_000_000,
  kind: 'pack',
  at: new Date(end).toISOString(),
} as const;
await postgres.transaction((queries) => grant(queries, pack));
await postgres.transaction((queries) => grant(queries, { ...pack, id: 'other', account: 'other' }));
const sqlite = openLedger(file);
await sqlite.grant(pack);
await sqlite.close();

/** How many calls the accounts pay a second together, each in a process of its own, on so many cores. */
async function paid(
  kind: 'sqlite' | 'postgres',
  accounts: readonly string[],
  cores = allCores,
): Promise<number> {
  confineTo(cores, cluster);
  const place = kind === 'sqlite' ? file : cluster.url;
  const outputs = await Promise.all(
    accounts.map((account) => {
      const args = [...fromSource, program, kind, place, String(seconds), account];
      return promisify(execFile)(process.execPath, args);
    }),
  );
  confineTo(allCores, cluster);
  return outputs.reduce((sum, { stdout }) => sum + Number(stdout), 0);
}

function line(isMet: boolean, value: string, goal: string, what: string): void {
  console.log(`${isMet ? 'met   ' : 'MISSED'}  ${value.padStart(7)}  ${goal.padEnd(16)}  ${what}`);
}

async function measurePaid(): Promise<void> {
  const taken: Record<'file' | 'one' | 'oneOnHalf' | 'two' | 'apart', number>[] = [];
  for (let round = 0; round < rounds; round += 1) {
    taken.push({
      file: await paid('sqlite', ['hot']),
      one: await paid('postgres', ['hot']),
      oneOnHalf: await paid('postgres', ['hot'], halfOfCores),
      two: await paid('postgres', ['hot', 'hot']),
      apart: await paid('postgres', ['hot', 'other']),
    });
  }
  type Name = keyof (typeof taken)[number];
  const rate = (name: Name) => Math.round(median(taken.map((one) => one[name])));
  const ratio = (a: Name, b: Name) => median(taken.map((one) => one[a] / one[b]));
  const report = (a: Name, b: Name, least: number, what: string) => {
    const value = ratio(a, b);
    line(
      value >= least,
      value.toFixed(2),
      `at least ${least}`,
      `${what} (${rate(a)} and ${rate(b)} a second)`,
    );
  };
  const half = `one process with ${halfOfCores} of ${allCores} cores`;
  report('one', 'file', 0.35, 'of the ledger in a file: one process');
  report('two', 'oneOnHalf', 1.6, `times ${half}: two with all, on one hot account`);
  report('apart', 'oneOnHalf', 1.6, `times ${half}: two with all, an account each`);
  report('two', 'one', 1, 'times one process with as many cores: two, on one hot account');
}

/** A year of calls of one account; indexes are made behind them, as it takes a tenth of the time. */
async function fill(): Promise<void> {
  const began = performance.now();
  const paths = endpoints.map((endpoint) => endpoint.path);
  await postgres.transaction(async (queries) => {
    const found = await queries.rows<{ readonly name: string; readonly sql: string }>(
      `SELECT indexname AS name, indexdef AS sql FROM pg_indexes WHERE tablename = 'usage' AND indexname ~ '^usage_(of_|single)'`,
    );
    for (const { name } of found) await queries.run(`DROP INDEX ${name}`);
    await queries.run(
      `INSERT INTO usage (id, account, created_at, charged_at, endpoint, status, error_code, credits_charged, credits_refunded,
         cached, key_id, key_name, job_id, duration_ms)
       SELECT 'req_' || lpad(n::text, 10, '0') || (n * 7919) % 1000, $4, at, at, endpoint,
         CASE WHEN failed THEN 'failed' ELSE 'ok' END,
         CASE WHEN n % 2000003 = 7 THEN 'platform_changed' WHEN failed THEN codes[1 + n / 25 % 4] END,
         CASE WHEN failed THEN 0 ELSE 3 END, CASE WHEN failed THEN 3 ELSE 0 END, NOT failed AND n % 3 = 0,
         key, key, CASE WHEN n % 100 < 30 THEN 'job_' || n / 1000 END, n % 900
       FROM (
         SELECT n, $2::bigint + n * 31536000000 / $1::bigint AS at, n % 25 = 3 OR n % 2000003 = 7 AS failed,
           ARRAY['platform_blocked', 'platform_timeout', 'profile_not_found', 'platform_unavailable'] AS codes,
           CASE WHEN n % ($1 / 10) = 11 THEN 'key_rare' ELSE 'key_' || n % 4 END AS key,
           ($3::text[])[1 + CASE WHEN n % 5 = 0 THEN n / 5 % cardinality($3::text[]) ELSE n % 3 END] AS endpoint
         FROM generate_series(0, $1::bigint - 1) AS n
       ) AS calls`,
      [rows, begin, paths, mine],
    );
    await queries.run(
      `INSERT INTO usage_sums SELECT account, created_at / 86400000 * 86400000 AS day, endpoint, coalesce(key_id, ''),
         count(*), count(*) FILTER (WHERE status = 'failed'), sum(credits_charged)
       FROM usage WHERE account = $1 GROUP BY account, day, endpoint, key_id`,
      [mine],
    );
    for (const { sql } of found) await queries.run(sql);
  });
  for (const table of ['usage', 'usage_sums']) {
    await postgres.write((queries) => queries.run(`VACUUM ANALYZE ${table}`));
  }
  const took = Math.round((performance.now() - began) / 1_000);
  console.log(`\npages over ${rows.toLocaleString('en-US')} calls of one account (made in ${took} s)`);
}

async function measure(what: string, work: () => Promise<unknown>, runs = 6): Promise<void> {
  const times: number[] = [];
  const processorTimes: number[] = [];
  for (let run = 0; run < runs; run += 1) {
    const [from, before] = [performance.now(), process.cpuUsage()];
    await work();
    times.push(performance.now() - from);
    const { user, system } = process.cpuUsage(before);
    processorTimes.push((user + system) / 1_000);
  }
  const [first = 0, ...later] = times;
  const ms = median(later);
  // On a machine that others use, the second tells what of the first was waiting.
  const own = `${median(processorTimes.slice(1)).toFixed(1)} of this process's processor`;
  line(ms <= 100, ms.toFixed(1), 'at most 100 ms', `${what} (${own}, the first time ${first.toFixed(1)})`);
}

async function measurePages(): Promise<void> {
  const reading = await Postgres.open(config, systemClock);
  const noDisk = async () => ({ free: 0, size: 0, cache: 0, ledger: 0 });
  const usage = new LedgerUsage(reading, noDisk);
  const deep = await reading.read((queries) =>
    queries.first<{ readonly id: string }>(
      `SELECT id FROM usage WHERE account = $1 AND created_at < $2 ORDER BY created_at DESC LIMIT 1`,
      [mine, begin + 20 * day],
    ),
  );
  const before = deep?.id ?? '';
  const iso = (time: number) => new Date(time).toISOString();
  const rare = endpoints.at(-1)?.path;
  const pages: Readonly<Record<string, Partial<CallsQuery>>> = {
    'the first page': {},
    'a page eleven months deep': { before },
    'one month, ten months ago': { from: iso(end - 300 * day), to: iso(end - 270 * day) },
    'one endpoint': { endpoint: endpoints[1]?.path },
    'an endpoint that is seldom called, deep': { endpoint: rare, before },
    'one job': { job: 'job_3' },
    'what failed': { status: 'failed' },
    'what failed, deep': { status: 'failed', before },
    'what went well, deep': { status: 'ok', before },
    'one error code, deep': { code: 'platform_blocked', before },
    'an error code of few rows': { code: 'platform_changed' },
    'an error code that never came': { code: 'account_private' },
    'one key, deep': { key: 'key_1', before },
    'a key of ten calls': { key: 'key_rare' },
    'a key that never called': { key: 'key_none' },
    'an endpoint and a key of ten calls': { endpoint: rare, key: 'key_rare' },
    'an endpoint, a key and an error code': {
      endpoint: endpoints[1]?.path,
      key: 'key_1',
      code: 'profile_not_found',
    },
    'a seldom endpoint and what failed, with the rare key': {
      endpoint: rare,
      status: 'failed',
      key: 'key_rare',
    },
  };
  for (const [what, query] of Object.entries(pages)) {
    await measure(what, () => usage.listCalls(mine, { limit: 100, ...query }));
  }
  for (const single of [true, false]) {
    const which = single ? 'without those of jobs' : 'with those of jobs';
    const query = { limit: 100, single, before: { at: begin + 20 * day, id: before } };
    await measure(`calls by time, ${which}`, () => usage.listCallsByTime(mine, query));
  }
  await measure('one call by its id', () => usage.findCall(mine, before));
  await measure('the last call', () => usage.findLastCallAt(mine));
  for (const days of [1, 30, 365]) {
    await measure(`what ${days} days cost, by day and endpoint`, () =>
      usage.sumByDay(mine, end - days * day, end),
    );
  }
  await measure('what a year cost that ends in the middle of a day', () =>
    usage.sumByDay(mine, begin + day / 2, end - day / 2),
  );
  await reading.close();
}

/** The API and the dashboard of a server in this process, asked over a socket. */
async function measureServer(): Promise<void> {
  const user = { account: mine, email } as Parameters<Sessions['open']>[1];
  const { secret } = await postgres.transaction((queries) =>
    new Sessions(postgres).open(queries, user, 'bench', Date.now()),
  );
  Object.assign(process.env, { EXTRACT_DATABASE_URL: cluster.url, EXTRACT_RATE_LIMIT: '999999999' });
  const server = await serve({
    config: readConfig({ home: folder, browser: 'never' }),
    server: readServerConfig({ host: '127.0.0.1', port: 0, roles: ['api'] }),
    hosting: readHostingConfig({}),
    log: { write: () => undefined },
  });
  try {
    const headers = { authorization: `Bearer ${key}`, cookie: `extract_session=${secret}` };
    const ask = async (path: string) => {
      const answer = await fetch(server.url + path, { headers, redirect: 'manual' });
      const text = await answer.text();
      if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${text.slice(0, 300)}`);
      return text;
    };
    const date = (days: number) => new Date(end - days * day).toISOString().slice(0, 10);
    const next = async (path: string, cursor: RegExp) => cursor.exec(await ask(path))?.[1] ?? '';
    const range = `from=${date(365)}&to=${date(1)}`;
    const paths = {
      '/v1/usage, the first page': '/v1/usage?limit=100',
      '/v1/usage, the second page': `/v1/usage?limit=100&cursor=${await next('/v1/usage?limit=100', /"next_cursor":"([^"]+)"/)}`,
      '/v1/usage, a day ten months ago': `/v1/usage?limit=100&from=${date(300)}T00:00:00Z&to=${date(299)}T00:00:00Z`,
      '/v1/usage, one endpoint': `/v1/usage?limit=100&endpoint=${endpoints.at(-1)?.path}`,
      '/v1/usage, one job': '/v1/usage?limit=100&job_id=job_3',
      '/v1/account': '/v1/account',
      'the overview': '/dashboard',
      'the page of usage': `/dashboard/usage?from=${date(30)}&to=${date(1)}`,
      'the page of usage, a year': `/dashboard/usage?${range}`,
      'usage as CSV, a year': `/dashboard/usage.csv?${range}`,
      'the page of requests': '/dashboard/requests',
      'the page of requests that failed': '/dashboard/requests?status=failed',
      'the page of keys': '/dashboard/keys',
    };
    for (const [what, path] of Object.entries(paths)) await measure(`HTTP: ${what}`, () => ask(path), 21);
  } finally {
    await server.stop();
  }
}

try {
  if (process.argv[3] !== 'pages') await measurePaid();
  await fill();
  if (process.argv[3] !== 'pages') await measurePages();
  await measureServer();
} finally {
  await postgres.close();
  await cluster.remove();
  rmSync(folder, { recursive: true, force: true });
}
