import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, describe, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import type { ArchivedCall } from '../../../lib/ledger/call-row.js';
import type { Ledger } from '../../../lib/ledger/ledger.js';
import { systemClock } from '../../../lib/runtime/clock.js';
import { lockFile } from '../../../lib/runtime/file-lock.js';
import { openStore } from '../../../src/compose/open-store.js';
import { archiveUsage } from '../../../src/service/usage/archive-usage.js';
import { LedgerUsageArchive, type UsageArchive } from '../../../src/service/usage/ledger-archive.js';
import { LedgerUsage } from '../../../src/service/usage/ledger-usage.js';
import { assertSound, inspect } from '../../ledger/books.js';
import { chargeOf } from '../../ledger/ledger-port.js';
import { assertBalanced, ledgerHarness } from '../../ledger/postgres-harness.js';
import { extract, testHome } from '../../support/cli.js';
import { skipWithoutPostgres } from '../../support/postgres.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const dayMs = 24 * 3_600_000;
const begin = Date.UTC(2026, 8, 1);
const before = begin + 20 * dayMs;
const key = { id: 'key_1', name: 'first' };

/** A history of forty days of two accounts. Some calls failed, some have no key, and a job is at work. */
async function writeHistory({ ledger }: { readonly ledger: Ledger }): Promise<void> {
  const at = new Date(begin).toISOString();
  for (const account of ['ann', 'bob'])
    await ledger.grant({ id: account, account, credits: 100_000, kind: 'pack', at });
  const calls = Array.from({ length: 3_000 }, (_, n) =>
    chargeOf(`call-${String(n).padStart(5, '0')}`, {
      account: n % 3 === 0 ? 'bob' : 'ann',
      endpoint: n % 5 === 0 ? 'maps/place' : 'shortvideo/profile',
      at: begin + (n * 40 * dayMs) / 3_000,
      key: n % 4 === 0 ? undefined : key,
    }),
  );
  await Promise.all(
    calls.map(async (call, n) => {
      if (n % 7 !== 0) return ledger.pay(call);
      await ledger.charge(call);
      return ledger.settle(call.id, { status: 'failed', code: 'platform_timeout' });
    }),
  );
  for (const index of [0, 1])
    await ledger.charge(chargeOf(`job_1:${index}`, { account: 'ann', at: begin, job: 'job_1' }));
  await ledger.settle('job_1:0', { status: 'ok', cached: false });
}

const linesOf = (file: string) =>
  gunzipSync(readFileSync(file))
    .toString()
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as ArchivedCall);

const rowsSql = 'SELECT id, created_at, status FROM usage ORDER BY id';
type Row = Readonly<Record<'id' | 'status', string> & { created_at: number }>;

const harness = ledgerHarness(after);

/** Stores with nothing in them but the local account. */
const kinds = [
  {
    where: 'in the file of a data directory',
    skip: false,
    async open() {
      const home = temporaryFolder();
      const { ledger, usage, usageArchive } = await openStore(home, systemClock, 0);
      const file = path.join(home, 'ledger.db');
      return {
        ...{ ledger, usage, usageArchive },
        rows: async () => inspect(file, (db) => db.prepare<[], Row>(rowsSql).all()),
        assertBooks: async () => assertSound(file),
      };
    },
  },
  {
    where: 'in a PostgreSQL database',
    skip: skipWithoutPostgres,
    async open() {
      const { ledger, database } = await harness();
      const { postgres } = database;
      return {
        ledger,
        usage: new LedgerUsage(postgres, async () => ({ free: 0, size: 0, cache: 0, ledger: 0 })),
        usageArchive: new LedgerUsageArchive(postgres),
        rows: () => postgres.read((queries) => queries.rows<Row>(rowsSql)),
        assertBooks: () => assertBalanced(postgres),
      };
    },
  },
] as const;

for (const { where, skip, open } of kinds) {
  /** A store with a history, and a folder for its archives. */
  async function history() {
    const store = await open();
    await writeHistory(store);
    const { ledger, usage, usageArchive } = store;
    const figures = () =>
      Promise.all(
        ['ann', 'bob'].map(async (account) => [
          (await ledger.balance(account)).credits,
          await usage.sumByDay(account, begin, begin + 40 * dayMs),
        ]),
      );
    const [figuresBefore, rows] = [await figures(), await store.rows()];
    return {
      ...{ ledger, usageArchive, folder: temporaryFolder(), rows, figuresBefore, figures },
      ...{ remaining: store.rows, assertBooks: store.assertBooks },
      old: rows.filter(({ id, created_at }) => created_at < before && !id.startsWith('job')),
      archive: (file: string, until = before, archive: UsageArchive = usageArchive) =>
        archiveUsage(archive, file, until),
      /** Asserts that nothing but the place of calls has changed, and closes the store. */
      async assertUnchanged() {
        assert.deepEqual(await figures(), figuresBefore);
        await store.assertBooks();
        await ledger.close();
      },
    };
  }

  describe(`old calls ${where}`, { skip }, () => {
    test('are moved into a file; balances and daily sums stay as they are', async () => {
      const { ledger, folder, rows, old, remaining, archive, figures, ...store } = await history();
      const file = path.join(folder, 'archive', 'old.ndjson.gz');
      assert.equal((await archive(file)).calls, old.length);
      const lines = linesOf(file);
      assert.deepEqual(
        lines.map(({ id }) => id).sort(),
        old.map(({ id }) => id),
      );
      const [one] = lines.filter(({ id }) => id === 'call-00007');
      assert.deepEqual(one, {
        ...{ account: 'ann', id: 'call-00007', created_at: one?.created_at, endpoint: 'shortvideo/profile' },
        ...{ status: 'failed', error_code: 'platform_timeout', credits_charged: 0, credits_refunded: 3 },
        ...{ cached: false, api_key: key, job_id: null, duration_ms: null },
      });
      assert.equal((await remaining()).length, rows.length - old.length);
      assert.deepEqual(await figures(), store.figuresBefore);
      await store.assertBooks();
      // Nothing remains to be archived, so no file is created.
      const again = path.join(folder, 'archive', 'again.ndjson.gz');
      assert.deepEqual(await archive(again), { file: null, calls: 0, bytes: 0 });
      assert.ok(!existsSync(again));
      // Days that were archived before are added to.
      await ledger.settle('job_1:1', { status: 'failed', code: null });
      const figuresSince = await figures();
      await archive(again, before + dayMs);
      assert.deepEqual(await figures(), figuresSince);
      assert.equal(figuresSince.flat(2).length, store.figuresBefore.flat(2).length);
      await store.assertBooks();
      await ledger.close();
    });

    test('are in one file, once, wherever the process is killed', async () => {
      const { usageArchive, folder, rows, remaining, archive, figures, ...store } = await history();
      // Killed before and after a step, both the first and a later one.
      for (const [round, { steps, isMade }] of [
        { steps: 0, isMade: false },
        { steps: 0, isMade: true },
        { steps: 1, isMade: true },
        { steps: 0, isMade: false },
      ].entries()) {
        let stepsLeft = steps;
        const mortal: UsageArchive = {
          listCallsBefore: (before, after) => usageArchive.listCallsBefore(before, after, 3),
          holds: (call) => usageArchive.holds(call),
          async replaceBySums(calls) {
            stepsLeft -= 1;
            const isReplaced = (stepsLeft >= 0 || isMade) && (await usageArchive.replaceBySums(calls));
            if (stepsLeft < 0) throw new Error('killed');
            return isReplaced;
          },
        };
        await assert.rejects(archive(path.join(folder, `${round}.gz`), before, mortal), /killed/);
        assert.deepEqual(await figures(), store.figuresBefore);
      }
      await archive(path.join(folder, 'last.gz'));
      const files = readdirSync(folder);
      assert.deepEqual(files.sort(), ['1.gz', '2.gz', 'last.gz']);
      const archived = files.flatMap((file) => linesOf(path.join(folder, file)));
      const ids = [...(await remaining()), ...archived].map(({ id }) => id);
      assert.deepEqual(ids.sort(), rows.map(({ id }) => id).sort());
      await store.assertUnchanged();
    });

    test('are in one file, once, if two programs move them at the same time', async () => {
      const { usageArchive, folder, old, archive, assertUnchanged } = await history();
      const files = [path.join(folder, 'a.gz'), path.join(temporaryFolder(), 'b.gz')] as const;
      let steps = 0;
      // The second program makes its archive while the first is about to make its second step.
      const slow: UsageArchive = {
        listCallsBefore: (until, after) => usageArchive.listCallsBefore(until, after, 500),
        holds: (call) => usageArchive.holds(call),
        async replaceBySums(calls) {
          steps += 1;
          if (steps === 2) await archive(files[1]);
          return usageArchive.replaceBySums(calls);
        },
      };
      assert.equal((await archive(files[0], before, slow)).calls, 500);
      assert.deepEqual(
        files.flatMap((file) => linesOf(file).map(({ id }) => id)).sort(),
        old.map(({ id }) => id),
      );
      // One that finds nothing but what another one is moving makes no file.
      const pages = [await usageArchive.listCallsBefore(before + dayMs, null, 3)];
      const none: UsageArchive = {
        ...slow,
        listCallsBefore: async () => pages.pop() ?? [],
        replaceBySums: async () => false,
      };
      const empty = path.join(folder, 'none.gz');
      assert.deepEqual(await archive(empty, before + dayMs, none), { file: null, calls: 0, bytes: 0 });
      assert.deepEqual(readdirSync(folder), ['a.gz']);
      await assertUnchanged();
    });

    test('are moved by one program of a folder at a time', async () => {
      const { folder, archive, assertUnchanged } = await history();
      const lock = await lockFile(path.join(folder, '.archive.lock'));
      await assert.rejects(archive(path.join(folder, 'a.gz')), /Another archive is being written/);
      lock?.remove();
      await assertUnchanged();
    });

    test('stay in place if the file already exists or cannot be created', async () => {
      const { folder, rows, remaining, archive, assertUnchanged } = await history();
      const target = path.join(folder, 'taken.gz');
      writeFileSync(target, 'x');
      await assert.rejects(archive(target), /already exists/);
      await assert.rejects(archive(path.join(target, 'x.gz')));
      assert.equal(readFileSync(target, 'utf8'), 'x');
      assert.deepEqual(await remaining(), rows);
      await assertUnchanged();
    });
  });
}

test('extract usage archive writes into the data directory, and says what it moved', async () => {
  const home = testHome();
  const store = await openStore(home, systemClock, 0);
  await writeHistory(store);
  await store.ledger.close();
  const { status, out } = await extract(['usage', 'archive', '--before', '2026-09-21', '--json']);
  assert.equal(status, 0);
  const { data } = JSON.parse(out);
  const [name = ''] = readdirSync(path.join(home, 'archive'));
  assert.match(name, /^usage-before-2026-09-21-\d+\.ndjson\.gz$/);
  assert.deepEqual(data.file, path.join(home, 'archive', name));
  assert.equal(linesOf(data.file).length, data.calls);
  // A name like the one that it chooses by default.
  const file = path.join(home, 'elsewhere', 'old.ndjson.gz');
  const run = await extract(['usage', 'archive', '--before', '2026-09-25', '-o', file, '--json']);
  assert.equal(run.status, 0, run.err);
  assert.equal(linesOf(file).length, JSON.parse(run.out).data.calls);
  for (const [args, words] of [
    [['--before', 'yesterday'], /a day such as/],
    [['--before', '2999-01-01'], /is in the future/],
    [[], /--before/],
  ] as const) {
    const refused = await extract(['usage', 'archive', ...args]);
    assert.equal(refused.status, 2);
    assert.match(refused.err, words);
  }
});
