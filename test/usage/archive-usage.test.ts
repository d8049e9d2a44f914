import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { systemClock } from '../../lib/runtime/clock.js';
import { type OpenStore, openStore } from '../../src/open-store.js';
import { archiveUsage } from '../../src/usage/archive-usage.js';
import type { ArchivedCall, UsageArchive } from '../../src/usage/usage-archive.js';
import { assertSound, inspect } from '../ledger/books.js';
import { extract, testHome } from '../support/cli.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const dayMs = 24 * 3_600_000;
const begin = Date.UTC(2026, 8, 1);
const before = begin + 20 * dayMs;
const key = { id: 'key_1', name: 'first' };

/** A history of forty days of two accounts. Some calls failed, some have no key, and a job is at work. */
async function history(home: string): Promise<OpenStore> {
  const store = await openStore(home, systemClock, 0);
  const { ledger } = store;
  for (const account of ['ann', 'bob']) {
    await ledger.grant({
      id: account,
      account,
      credits: 100_000,
      kind: 'pack',
      at: new Date(begin).toISOString(),
    });
  }
  const calls = Array.from({ length: 3_000 }, (_, n) => ({
    id: `call-${String(n).padStart(5, '0')}`,
    account: n % 3 === 0 ? 'bob' : 'ann',
    endpoint: n % 5 === 0 ? 'maps/place' : 'shortvideo/profile',
    credits: 3,
    needsPack: false,
    at: begin + (n * 40 * dayMs) / 3_000,
    key: n % 4 === 0 ? undefined : key,
  }));
  await Promise.all(
    calls.map(async (call, n) => {
      if (n % 7 !== 0) return ledger.pay(call);
      await ledger.charge(call);
      return ledger.settle(call.id, { status: 'failed', code: 'platform_timeout' });
    }),
  );
  const job = {
    account: 'ann',
    endpoint: 'maps/place',
    credits: 3,
    needsPack: false,
    at: begin,
    job: 'job_1',
  };
  for (const index of [0, 1]) await ledger.charge({ ...job, id: `job_1:${index}` });
  await ledger.settle('job_1:0', { status: 'ok', cached: false });
  return store;
}

const linesOf = (file: string) =>
  gunzipSync(readFileSync(file))
    .toString()
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as ArchivedCall);

const rowsOf = (home: string) =>
  inspect(path.join(home, 'ledger.db'), (db) =>
    db
      .prepare<[], { id: string; created_at: number; status: string }>(
        'SELECT id, created_at, status FROM usage ORDER BY id',
      )
      .all(),
  );

async function figures({ ledger, usage }: OpenStore) {
  const of = async (account: string) => [
    (await ledger.balance(account)).credits,
    await usage.spendByDay(account, begin, begin + 40 * dayMs),
  ];
  return [await of('ann'), await of('bob')];
}

describe('old calls', () => {
  test('are moved into a file; balances and daily sums stay as they are', async () => {
    const home = temporaryFolder();
    const store = await history(home);
    const known = await figures(store);
    const rows = rowsOf(home);
    const old = rows.filter(({ id, created_at }) => created_at < before && !id.startsWith('job'));
    const file = path.join(home, 'archive', 'old.ndjson.gz');
    const archived = await archiveUsage(store.usageArchive, file, before);
    assert.equal(archived.calls, old.length);
    assert.deepEqual(await figures(store), known);
    assertSound(path.join(home, 'ledger.db'));
    const lines = linesOf(file);
    assert.deepEqual(
      lines.map(({ id }) => id).sort(),
      old.map(({ id }) => id),
    );
    const [one] = lines.filter(({ id }) => id === 'call-00007');
    assert.deepEqual(one, {
      ...{ account: 'ann', id: 'call-00007', created_at: one?.created_at, endpoint: 'shortvideo/profile' },
      ...{
        status: 'failed',
        error_code: 'platform_timeout',
        credits_charged: 0,
        credits_refunded: 3,
        cached: false,
      },
      ...{ api_key: key, job_id: null },
    });
    assert.equal(rowsOf(home).length, rows.length - old.length);
    // Nothing is left to do, and no file is made for it.
    const again = path.join(home, 'archive', 'again.ndjson.gz');
    assert.deepEqual(await archiveUsage(store.usageArchive, again, before), {
      file: null,
      calls: 0,
      bytes: 0,
    });
    assert.ok(!existsSync(again));
    // Days that were archived before are added to.
    await store.ledger.settle('job_1:1', { status: 'failed', code: null });
    await archiveUsage(store.usageArchive, again, before + dayMs);
    assert.deepEqual((await figures(store)).flat(2).length, known.flat(2).length);
    assertSound(path.join(home, 'ledger.db'));
    await store.ledger.close();
  });

  test('are in the file before they leave the ledger, wherever it ends in between', async () => {
    const home = temporaryFolder();
    const store = await history(home);
    const known = await figures(store);
    const rows = rowsOf(home);
    for (const [round, steps] of [0, 1, 0].entries()) {
      let left = steps;
      const mortal: UsageArchive = {
        callsBefore: (...given) => store.usageArchive.callsBefore(...given),
        async replaceBySums(calls) {
          left -= 1;
          if (left < 0) throw new Error('killed');
          return store.usageArchive.replaceBySums(calls);
        },
      };
      await assert.rejects(archiveUsage(mortal, path.join(home, `${round}.gz`), before), /killed/);
      assert.deepEqual(await figures(store), known);
    }
    await archiveUsage(store.usageArchive, path.join(home, 'last.gz'), before);
    const there = new Set(rowsOf(home).map(({ id }) => id));
    for (const file of ['0.gz', '1.gz', '2.gz', 'last.gz']) {
      for (const { id } of linesOf(path.join(home, file))) there.add(id);
    }
    assert.equal(there.size, rows.length);
    assertSound(path.join(home, 'ledger.db'));
    await store.ledger.close();
  });

  test('stay where they are when the file is there already or cannot be made', async () => {
    const home = temporaryFolder();
    const store = await history(home);
    const rows = rowsOf(home);
    const taken = path.join(home, 'taken.gz');
    writeFileSync(taken, 'x');
    await assert.rejects(archiveUsage(store.usageArchive, taken, before), /is there already/);
    await assert.rejects(archiveUsage(store.usageArchive, path.join(taken, 'x.gz'), before));
    if (existsSync('/dev/full')) assert.equal(readFileSync(taken, 'utf8'), 'x');
    assert.deepEqual(rowsOf(home), rows);
    await store.ledger.close();
  });
});

test('extract usage archive writes into the data directory, and says what it moved', async () => {
  const home = testHome();
  const store = await history(home);
  await store.ledger.close();
  const { status, out } = await extract(['usage', 'archive', '--before', '2026-09-21', '--json']);
  assert.equal(status, 0);
  const { data } = JSON.parse(out);
  const [name = ''] = readdirSync(path.join(home, 'archive'));
  assert.match(name, /^usage-before-2026-09-21-\d+\.ndjson\.gz$/);
  assert.deepEqual(data.file, path.join(home, 'archive', name));
  assert.equal(linesOf(data.file).length, data.calls);
  for (const [given, words] of [
    [['--before', 'yesterday'], /a day such as/],
    [['--before', '2999-01-01'], /has not come/],
    [[], /--before/],
  ] as const) {
    const refused = await extract(['usage', 'archive', ...given]);
    assert.equal(refused.status, 2);
    assert.match(refused.err, words);
  }
});
