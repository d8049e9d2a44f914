// Reading the history of one account of 100,000 calls over a year, as the dashboard's pages do.
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Database } from 'better-sqlite3';
import { createElement } from 'react';
import { queriesOn } from '../../lib/database/sqlite/sqlite-queries.js';
import { endpoints } from '../../lib/endpoints.js';
import { spendByDay } from '../../lib/ledger/spend.js';
import { openDatabase } from '../../lib/ledger/sqlite/ledger-file.js';
import { usagePage, usageRow } from '../../lib/ledger/usage.js';
import { dayOf } from '../../src/faces/dashboard/days.js';
import { UsagePage } from '../../src/faces/dashboard/pages/usage.js';
import { spendOf } from '../../src/faces/dashboard/spend.js';
import { renderPage } from '../../src/output/html.js';
import type { CallsQuery } from '../../src/service/usage/usage-queries.js';
import { FakeClock } from '../support/fake-clock.js';
import { compare, median } from './compare.js';

const rows = 100_000;
const day = 24 * 3_600_000;
const end = Date.UTC(2026, 10, 1);
const begin = end - 365 * day;
const codes = ['platform_blocked', 'platform_timeout', 'profile_not_found', 'platform_unavailable'];

/** Beside the account there is another one of the same size, as on a real server. */
function fill(db: Database): void {
  const insert = db.prepare(
    `INSERT INTO usage (id, account, created_at, charged_at, endpoint, status, error_code, credits_charged,
       credits_refunded, cached, key_id, key_name, job_id)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  db.transaction(() => {
    for (let n = 0; n < rows; n += 1) {
      for (const account of ['mine', 'other']) {
        const at = begin + Math.floor((n / rows) * 365 * day);
        const isRare = n % 20_000 === 7;
        const failed = n % 25 === 3 || isRare;
        const code = isRare
          ? 'platform_changed'
          : failed
            ? (codes[((n / 25) % codes.length) | 0] ?? null)
            : null;
        const key = n % 10_000 === 11 ? 'key_rare' : `key_${n % 4}`;
        // Ids begin with their time, as those of requests do.
        const id = `req_${String(n).padStart(8, '0')}${account}${(n * 7919) % 1000}`;
        const { path: endpoint = '' } = endpoints[n % 5 === 0 ? n % endpoints.length : n % 3] ?? {};
        const job = n % 100 < 30 ? `job_${Math.floor(n / 1000)}` : null;
        insert.run(
          ...[id, account, at, at, endpoint, failed ? 'failed' : 'ok', code, failed ? 0 : 3, failed ? 3 : 0],
          ...[n % 3 === 0 && !failed ? 1 : 0, key, key, job],
        );
      }
    }
  })();
}

const folder = mkdtempSync(path.join(os.tmpdir(), 'extract-bench-'));
const db = await openDatabase(path.join(folder, 'ledger.db'), new FakeClock());
fill(db);
const queries = queriesOn(db);

const page = (query: Partial<CallsQuery> = {}) => usagePage(queries, 'mine', { limit: 100, ...query });
const idAt = (place: number) => {
  const found = db
    .prepare<[number], string>(
      `SELECT id FROM usage WHERE account = 'mine' ORDER BY created_at DESC, id DESC LIMIT 1 OFFSET ?`,
    )
    .pluck()
    .get(place);
  return found ?? '';
};
const iso = (time: number) => new Date(time).toISOString();
const deep = idAt(95_000);
const ids = (await page({ before: idAt(50_000) })).rows.map(({ id }) => id);
const byKey = db.prepare('SELECT * FROM usage WHERE id = ?');
const floor = () => ids.map((id) => byKey.get(id));

const pages: Record<string, Partial<CallsQuery>> = {
  'the first page': {},
  'a page 95,000 rows deep': { before: deep },
  'one month, ten months ago': { from: iso(end - 300 * day), to: iso(end - 270 * day) },
  'one endpoint': { endpoint: 'maps/place' },
  'an endpoint that is seldom called, deep': { endpoint: endpoints[10]?.path, before: deep },
  'one job': { job: 'job_3' },
  'what failed': { status: 'failed' },
  'what failed, deep': { status: 'failed', before: deep },
  'what went well, deep': { status: 'ok', before: deep },
  'one error code': { code: 'platform_blocked' },
  'an error code of five rows': { code: 'platform_changed' },
  'an error code that never came': { code: 'account_private' },
  'one key': { key: 'key_1' },
  'a key of ten calls': { key: 'key_rare' },
  'a key that never called': { key: 'key_none' },
  'an endpoint, a key and an error code that never met': {
    ...{ endpoint: 'maps/place', key: 'key_rare', code: 'platform_changed' },
  },
  'an endpoint and a status that never met in a month': {
    ...{ endpoint: endpoints[10]?.path, status: 'failed', key: 'key_rare', from: iso(begin), to: iso(end) },
  },
};

const atMost = 100;

/** Milliseconds of processor that one run takes, of all threads: a busy machine makes it no longer. */
async function processorMs(work: () => unknown): Promise<number> {
  const runs: number[] = [];
  for (let run = 0; run < 15; run += 1) {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    runs.push((user + system) / 1000);
  }
  return median(runs);
}

async function measure(what: string, work: () => unknown): Promise<void> {
  const { ours, ratio } = await compare(work, floor, { rounds: 9, repeats: 5, warmUp: 1 });
  const ms = await processorMs(work);
  const met = ms <= atMost ? 'met   ' : 'MISSED';
  const times = `${ratio.toFixed(1)} times a page of 100 rows by primary key; ${ours.toFixed(0)} ms by the clock`;
  console.log(`${met}  ${ms.toFixed(2).padStart(6)}  at most ${atMost} ms  ${what} (${times})`);
}

for (const [what, query] of Object.entries(pages)) await measure(what, () => page(query));
await measure('one call by its id', () => usageRow(queries, 'mine', deep));
await measure('a call of another account by its id', () =>
  usageRow(queries, 'mine', deep.replace('mine', 'other')),
);
for (const days of [30, 365]) {
  await measure(`what ${days} days cost, by day and endpoint`, () =>
    spendByDay(queries, 'mine', end - days * day, end),
  );
}
const usage = {
  sumByDay: async (account: string, from: number, to: number) => spendByDay(queries, account, from, to),
};
const [first, today] = [dayOf(end - 365 * day), dayOf(end - day)];
const frame = {
  ...{ viewer: null, token: '', path: '/dashboard/usage', notice: null, docsBase: 'http://localhost' },
  assets: { style: '/style.css', script: '/script.js' },
};
await measure('the usage page of a year, drawn', async () => {
  const spend = await spendOf(usage, 'mine', first, today);
  return renderPage(createElement(UsagePage, { frame, spend, today }));
});
db.close();
rmSync(folder, { recursive: true, force: true });
