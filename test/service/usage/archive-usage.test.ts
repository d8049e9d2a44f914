import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { after, describe, test } from 'node:test';
import { systemClock } from '../../../lib/runtime/clock.js';
import { openStore } from '../../../src/compose/open-store.js';
import { LedgerArchive } from '../../../src/service/usage/ledger-archive.js';
import { LedgerUsage } from '../../../src/service/usage/ledger-usage.js';
import { assertSound, inspect } from '../../ledger/books.js';
import { assertBalanced, ledgerHarness } from '../../ledger/postgres-harness.js';
import { extract, testHome } from '../../support/cli.js';
import { skipWithoutPostgres } from '../../support/postgres.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { type ArchiveHarness, linesOf, usageArchivePort, writeHistory } from './usage-archive-port.js';

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
      usageArchive: new LedgerArchive(postgres),
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
