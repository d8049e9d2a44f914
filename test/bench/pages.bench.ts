// The dashboard's pages over the history of an account of 100,000 calls in a year: processor time of the server, in
// process. `npm run bench pages 10000000` says how many calls.
import { endpoints } from '../../lib/endpoints.js';
import type { SqliteLedger } from '../../lib/ledger/sqlite/sqlite-ledger.js';
import { dashboardServer } from '../faces/dashboard/support/server.js';
import { compare, processorMs } from './compare.js';

const rows = Number(process.argv[2] ?? 100_000);
const dayMs = 24 * 3_600_000;
const atMost = 100;
/** Calls that one statement makes: no transaction holds all of them. */
const rowsAtOnce = 500_000;

const server = await dashboardServer();
const { browser, account } = await server.signedIn();
const { db } = await (server.ledger as SqliteLedger).database();
const end = server.clock.now();
const begin = end - 365 * dayMs;

/** A year of calls of one account; indexes are created afterwards, which takes a fraction of the time. */
function fill(): void {
  const indexes = db
    .prepare<[], { readonly name: string; readonly sql: string }>(
      `SELECT name, sql FROM sqlite_master WHERE type = 'index' AND tbl_name = 'usage' AND sql IS NOT NULL`,
    )
    .all();
  for (const { name } of indexes) db.exec(`DROP INDEX ${name}`);
  const paths = JSON.stringify(endpoints.map(({ path }) => path));
  db.exec('CREATE TEMP TABLE paths (n INTEGER PRIMARY KEY, path TEXT)');
  db.prepare('INSERT INTO paths SELECT key, value FROM json_each(?)').run(paths);
  const insert = db.prepare(`
    WITH RECURSIVE numbers (n) AS (SELECT :from UNION ALL SELECT n + 1 FROM numbers WHERE n < :to)
    INSERT INTO usage (id, account, created_at, charged_at, endpoint, status, error_code, credits_charged, key_id, key_name,
      job_id, duration_ms)
    SELECT format('req_%026d', n), :account, at, at, (SELECT path FROM paths WHERE paths.n = calls.n % ${endpoints.length}),
      iif(n % 50 = 0, 'failed', 'ok'), iif(n = 0, 'platform_changed', iif(n % 50 = 0, 'platform_timeout', NULL)), iif(n % 50 = 0, 0, 3),
      iif(n = 0, 'key_rare', 'key_' || n % 4), 'key', iif(n % 100 < 30, 'job_' || n / 1000, NULL), n % 900
    FROM (SELECT n, :begin + CAST(n * ${365 * dayMs}.0 / :rows AS INTEGER) AS at FROM numbers) AS calls`);
  for (let from = 0; from < rows; from += rowsAtOnce) {
    insert.run({ from, to: Math.min(rows, from + rowsAtOnce) - 1, account: account.id, begin, rows });
  }
  for (const { sql } of indexes) db.exec(sql);
  db.prepare(
    `INSERT INTO usage_sums (account, day, endpoint, key_id, calls, failed, credits)
     SELECT account, created_at / ${dayMs} * ${dayMs} AS day, endpoint, coalesce(key_id, ''), count(*),
       count(*) FILTER (WHERE status = 'failed'), sum(credits_charged)
     FROM usage WHERE account = ? GROUP BY day, endpoint, key_id`,
  ).run(account.id);
  const sumOfCalls = db
    .prepare<[string], number>('SELECT sum(calls) FROM usage_sums WHERE account = ?')
    .pluck();
  if (sumOfCalls.get(account.id) !== rows) throw new Error(`${sumOfCalls.get(account.id)} calls were made`);
}

const date = (days: number) => new Date(end - days * dayMs).toISOString().slice(0, 10);
const deep = `before=req_${String(Math.floor(rows / 20)).padStart(26, '0')}`;
const pages = [
  '/dashboard',
  '/dashboard/requests',
  '/dashboard/requests?status=failed',
  '/dashboard/requests?key=key_rare',
  '/dashboard/requests?key=key_none',
  '/dashboard/requests?code=platform_timeout',
  '/dashboard/requests?code=platform_changed',
  '/dashboard/requests?job=job_3',
  '/dashboard/requests?endpoint=maps/place&code=account_private',
  `/dashboard/requests?from=${date(300)}&to=${date(299)}`,
  `/dashboard/requests?${deep}`,
  `/dashboard/requests?status=failed&${deep}`,
  `/dashboard/requests?status=ok&${deep}`,
  `/dashboard/requests?endpoint=maps/place&key=key_1&${deep}`,
  '/dashboard/usage',
  `/dashboard/usage?from=${date(365)}&to=${date(0)}`,
  `/dashboard/usage.csv?from=${date(365)}&to=${date(0)}`,
  '/dashboard/keys',
  '/dashboard/jobs',
];

fill();
/** A page without history: the cost of the server and the rendering alone. */
const floor = () => browser.send({ method: 'GET', url: '/dashboard/settings' });

for (const url of pages) {
  const work = async () => {
    const { statusCode } = await browser.send({ method: 'GET', url });
    if (statusCode !== 200) throw new Error(`${url}: ${statusCode}`);
  };
  const { ours, ratio } = await compare(work, floor, { rounds: 5, repeats: 3, warmUp: 1, now: processorMs });
  const verdict = ours <= atMost ? 'met   ' : 'MISSED';
  const times = `${ratio.toFixed(1)} times a page without history`;
  console.log(`${verdict}  ${ours.toFixed(2).padStart(6)}  at most ${atMost} ms  ${url} (${times})`);
}
await server.app.close();
