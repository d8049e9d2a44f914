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
import type { UsageQueries } from '../../../src/service/usage/ledger-usage.js';
import { LedgerUsage } from '../../../src/service/usage/ledger-usage.js';
import { assertSound, inspect } from '../../ledger/books.js';
import { assertBalanced, ledgerHarness } from '../../ledger/postgres-harness.js';
import { extract, testHome } from '../../support/cli.js';
import { skipWithoutPostgres } from '../../support/postgres.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

/** A store whose calls are to be archived. */
interface ArchiveHarness {
  readonly ledger: Ledger;
  readonly usage: UsageQueries;
  readonly usageArchive: UsageArchive;
  /** Calls that are not archived, in the order of their ids. */
  rows(): Promise<readonly { readonly id: string; readonly created_at: number; readonly status: string }[]>;
  /** Holds that the books add up. */
  assertSound(): Promise<void>;
}

const dayMs = 24 * 3_600_000;
const begin = Date.UTC(2026, 8, 1);
const before = begin + 20 * dayMs;
const key = { id: 'key_1', name: 'first' };

/** A history of forty days of two accounts. Some calls failed, some have no key, and a job is at work. */
async function writeHistory({ ledger }: Pick<ArchiveHarness, 'ledger'>): Promise<void> {
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
}

const linesOf = (file: string) =>
  gunzipSync(readFileSync(file))
    .toString()
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as ArchivedCall);

async function figures({ ledger, usage }: ArchiveHarness) {
  const of = async (account: string) => [
    (await ledger.balance(account)).credits,
    await usage.sumByDay(account, begin, begin + 40 * dayMs),
  ];
  return [await of('ann'), await of('bob')];
}

/** What every archive of calls does. `open` gives a store with nothing in it but the local account. */
function usageArchivePort(name: string, open: () => Promise<ArchiveHarness>): void {
  const history = async () => {
    const store = await open();
    await writeHistory(store);
    return store;
  };

  describe(`${name}: old calls`, () => {
    test('are moved into a file; balances and daily sums stay as they are', async () => {
      const folder = temporaryFolder();
      const store = await history();
      const figuresBefore = await figures(store);
      const rows = await store.rows();
      const old = rows.filter(({ id, created_at }) => created_at < before && !id.startsWith('job'));
      const file = path.join(folder, 'archive', 'old.ndjson.gz');
      const archived = await archiveUsage(store.usageArchive, file, before);
      assert.equal(archived.calls, old.length);
      assert.deepEqual(await figures(store), figuresBefore);
      await store.assertSound();
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
        ...{ api_key: key, job_id: null, duration_ms: null },
      });
      assert.equal((await store.rows()).length, rows.length - old.length);
      // Nothing remains to be archived, so no file is created.
      const again = path.join(folder, 'archive', 'again.ndjson.gz');
      assert.deepEqual(await archiveUsage(store.usageArchive, again, before), {
        file: null,
        calls: 0,
        bytes: 0,
      });
      assert.ok(!existsSync(again));
      // Days that were archived before are added to.
      await store.ledger.settle('job_1:1', { status: 'failed', code: null });
      await archiveUsage(store.usageArchive, again, before + dayMs);
      assert.deepEqual((await figures(store)).flat(2).length, figuresBefore.flat(2).length);
      await store.assertSound();
      await store.ledger.close();
    });

    test('are in one file, once, wherever the process is killed', async () => {
      const folder = temporaryFolder();
      const store = await history();
      const figuresBefore = await figures(store);
      const rows = await store.rows();
      // Killed before and after a step, both the first and a later one.
      for (const [round, { steps, isMade }] of [
        { steps: 0, isMade: false },
        { steps: 0, isMade: true },
        { steps: 1, isMade: true },
        { steps: 0, isMade: false },
      ].entries()) {
        let stepsLeft = steps;
        const mortal: UsageArchive = {
          listCallsBefore: (before, after) => store.usageArchive.listCallsBefore(before, after, 3),
          holds: (call) => store.usageArchive.holds(call),
          async replaceBySums(calls) {
            stepsLeft -= 1;
            const isReplaced = (stepsLeft >= 0 || isMade) && (await store.usageArchive.replaceBySums(calls));
            if (stepsLeft < 0) throw new Error('killed');
            return isReplaced;
          },
        };
        await assert.rejects(archiveUsage(mortal, path.join(folder, `${round}.gz`), before), /killed/);
        assert.deepEqual(await figures(store), figuresBefore);
      }
      await archiveUsage(store.usageArchive, path.join(folder, 'last.gz'), before);
      const files = readdirSync(folder);
      assert.deepEqual(files.sort(), ['1.gz', '2.gz', 'last.gz']);
      const ids = (await store.rows()).map(({ id }) => id);
      for (const file of files) ids.push(...linesOf(path.join(folder, file)).map(({ id }) => id));
      assert.deepEqual(ids.sort(), rows.map(({ id }) => id).sort());
      await store.assertSound();
      await store.ledger.close();
    });

    test('are in one file, once, if two programs move them at the same time', async () => {
      const [folder, other] = [temporaryFolder(), temporaryFolder()];
      const store = await history();
      const figuresBefore = await figures(store);
      const rows = await store.rows();
      const old = rows.filter(({ id, created_at }) => created_at < before && !id.startsWith('job'));
      const files = [path.join(folder, 'a.gz'), path.join(other, 'b.gz')] as const;
      let steps = 0;
      // The second program makes its archive while the first is about to make its second step.
      const slow: UsageArchive = {
        listCallsBefore: (until, after) => store.usageArchive.listCallsBefore(until, after, 500),
        holds: (call) => store.usageArchive.holds(call),
        async replaceBySums(calls) {
          steps += 1;
          if (steps === 2) await archiveUsage(store.usageArchive, files[1], before);
          return store.usageArchive.replaceBySums(calls);
        },
      };
      const first = await archiveUsage(slow, files[0], before);
      assert.equal(first.calls, 500);
      assert.deepEqual(
        files.flatMap((file) => linesOf(file).map(({ id }) => id)).sort(),
        old.map(({ id }) => id),
      );
      assert.deepEqual(await figures(store), figuresBefore);
      await store.assertSound();
      // One that finds nothing but what another one is moving makes no file.
      const pages = [await store.usageArchive.listCallsBefore(before + dayMs, null, 3)];
      const none: UsageArchive = {
        ...slow,
        listCallsBefore: async () => pages.pop() ?? [],
        replaceBySums: async () => false,
      };
      const empty = path.join(folder, 'none.gz');
      assert.deepEqual(await archiveUsage(none, empty, before + dayMs), { file: null, calls: 0, bytes: 0 });
      assert.deepEqual(readdirSync(folder), ['a.gz']);
      await store.ledger.close();
    });

    test('are moved by one program of a folder at a time', async () => {
      const folder = temporaryFolder();
      const store = await history();
      const lock = await lockFile(path.join(folder, '.archive.lock'));
      const archived = archiveUsage(store.usageArchive, path.join(folder, 'a.gz'), before);
      await assert.rejects(archived, /Another archive is being written/);
      lock?.remove();
      await store.ledger.close();
    });

    test('stay in place if the file already exists or cannot be created', async () => {
      const folder = temporaryFolder();
      const store = await history();
      const rows = await store.rows();
      const target = path.join(folder, 'taken.gz');
      writeFileSync(target, 'x');
      await assert.rejects(archiveUsage(store.usageArchive, target, before), /already exists/);
      await assert.rejects(archiveUsage(store.usageArchive, path.join(target, 'x.gz'), before));
      if (existsSync('/dev/full')) assert.equal(readFileSync(target, 'utf8'), 'x');
      assert.deepEqual(await store.rows(), rows);
      await store.ledger.close();
    });
  });
}

const remaining = 'SELECT id, created_at, status FROM usage ORDER BY id';

async function inFile(): Promise<ArchiveHarness> {
  const home = temporaryFolder();
  const { ledger, usage, usageArchive } = await openStore(home, systemClock, 0);
  const file = path.join(home, 'ledger.db');
  return {
    ...{ ledger, usage, usageArchive },
    rows: async () =>
      inspect(file, (db) =>
        db.prepare<[], { id: string; created_at: number; status: string }>(remaining).all(),
      ),
    assertSound: async () => assertSound(file),
  };
}

usageArchivePort('in the file of a data directory', inFile);

describe('in a PostgreSQL database', { skip: skipWithoutPostgres }, () => {
  const harness = ledgerHarness(after);
  const noDisk = async () => ({ free: 0, size: 0, cache: 0, ledger: 0 });
  usageArchivePort('of a server', async () => {
    const { ledger, database } = await harness();
    const { postgres } = database;
    return {
      ledger,
      usage: new LedgerUsage(postgres, noDisk),
      usageArchive: new LedgerUsageArchive(postgres),
      rows: () => postgres.read((queries) => queries.rows(remaining)),
      assertSound: () => assertBalanced(postgres),
    };
  });
});

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
