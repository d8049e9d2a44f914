import assert from 'node:assert/strict';
import path from 'node:path';
import { before, describe, test } from 'node:test';
import { openLedger } from '../../lib/ledger/sqlite/sqlite-ledger.js';
import { bundle, start } from '../support/child-process.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { assertSound, inspect, pendingIds } from './books.js';

const folder = temporaryFolder();
let files = 0;
const newFile = () => path.join(folder, `${++files}.db`);
let program: string;
before(async () => {
  program = await bundle(folder, 'test/ledger/child-program.ts', ['better-sqlite3']);
});

/** Opens what a killed process left and holds it against what that process said it had finished. */
async function assertRecovered(file: string, lines: readonly string[]): Promise<void> {
  const ledger = openLedger(file);
  const { credits } = await ledger.balance('local');
  assert.deepEqual(pendingIds(file), []);
  assertSound(file);
  const rows = new Map(
    inspect(file, (db) =>
      db
        .prepare<[], [string, string, string | null, number]>(
          'SELECT id, status, error_code, credits_refunded FROM usage',
        )
        .raw()
        .all(),
    ).map(([id, ...rest]) => [id, rest]),
  );
  let count = 0;
  for (const [id, [status, code, refunded]] of rows) {
    if (status === 'ok') count++;
    else assert.ok(refunded === 3 && (code === 'internal_error' || code === 'platform_timeout'), id);
  }
  const granted = inspect(file, (db) =>
    db.prepare<[], number>('SELECT sum(credits) FROM grants').pluck().get(),
  );
  assert.equal(credits, Number(granted) - 3 * count);
  // What had been promised before the end is on the disk.
  for (const line of lines) {
    const [word = '', id = ''] = line.split(' ');
    if (word === 'charged') assert.ok(rows.has(id), line);
    if (word === 'ok') assert.equal(rows.get(id)?.[0], 'ok', line);
    if (word === 'failed') assert.equal(rows.get(id)?.[1], 'platform_timeout', line);
  }
  await ledger.close();
}

describe('several processes over one file', () => {
  test('that open a new one at the same time find one account with one pack', async () => {
    const file = newFile();
    const outputs = await Promise.all(
      Array.from({ length: 20 }, () => start(program, ['open', file]).output),
    );
    for (const lines of outputs) assert.deepEqual(lines, ['balance 50000', 'done']);
    assert.equal(
      inspect(file, (db) => db.prepare('SELECT count(*) FROM grants').pluck().get()),
      1,
    );
  });

  test('charge at the same time, while a third is killed and a fourth watches', async () => {
    const file = newFile();
    const onlooker = openLedger(file);
    await onlooker.balance('local');
    let lines = 0;
    const victim = start(program, ['hammer', file], () => {
      if (++lines === 100) victim.process.kill('SIGKILL');
    });
    const workers = [1, 2].map(() => start(program, ['hammer', file, '300']));
    const [lost, ...done] = await Promise.all([victim, ...workers].map(({ output }) => output));
    for (const lines of done) assert.equal(lines.at(-1), 'done');
    assertSound(file);
    await onlooker.close();
    await assertRecovered(file, [...(lost ?? []), ...done.flat()]);
  });
});
