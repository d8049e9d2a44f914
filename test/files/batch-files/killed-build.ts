import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { readXlsx } from 'hucre/xlsx';
import { sampleDataOf } from '../../../lib/samples.js';
import type { BuiltKind } from '../../../src/files/result-files/file-kind.js';
import { startProgram } from '../../support/program-apart.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { duckdb, type Item } from '../result-files/harness.js';

const folder = temporaryFolder();
const rows = 20_000;

interface BuildPlan {
  readonly kind: BuiltKind;
  readonly file: string;
  readonly append: boolean;
  readonly news?: boolean;
  readonly id: string;
}

const start = (plan: BuildPlan) => startProgram('files/batch-files/build-program.ts', plan);

/** Kills a build some milliseconds after it began; true if the build finished first. */
async function killed(plan: BuildPlan, moment: number): Promise<boolean> {
  const child = start(plan);
  const ended = once(child, 'exit');
  assert.ok(child.stdout);
  await once(child.stdout, 'data');
  await setTimeout(moment);
  child.kill('SIGKILL');
  const [code] = await ended;
  return code === 0;
}

async function finish(plan: BuildPlan): Promise<void> {
  const [code] = await once(start(plan), 'exit');
  assert.equal(code, 0);
}

const sample = (await sampleDataOf({ path: 'photosocial/profile' })) as Item;

function writeLines(file: string, prefix: string): void {
  const line = (at: number) =>
    JSON.stringify({ input: { username: `u${at}` }, data: { ...sample, username: `${prefix}${at}` } });
  writeFileSync(`${file}.ndjson`, Array.from({ length: rows }, (_, at) => `${line(at)}\n`).join(''));
}

/** Rows of a file that a reader of its kind opens without complaint. */
async function rowsOf(kind: BuiltKind, file: string): Promise<number> {
  if (kind === 'parquet') {
    return Number((await duckdb(`SELECT count(*) AS n FROM read_parquet('${file}')`))[0]?.n);
  }
  if (kind === 'xlsx') return ((await readXlsx(readFileSync(file))).sheets[0]?.rows.length ?? 1) - 1;
  const db = new DatabaseSync(file);
  try {
    assert.deepEqual({ ...db.prepare('PRAGMA integrity_check').get() }, { integrity_check: 'ok' });
    return Number(db.prepare('SELECT count(*) AS n FROM photosocial_profile').get()?.n);
  } finally {
    db.close();
  }
}

/** Kills builds so many milliseconds after they began. */
export const describeKilledBuilds = (moments: readonly number[]) =>
  describe('an output whose building is killed', () => {
    for (const kind of ['sqlite', 'parquet', 'xlsx'] as const) {
      test(`is complete or absent, and complete in the end (${kind})`, async () => {
        const file = path.join(folder, `killed.${kind}`);
        writeLines(file, 'a');
        const plan = { kind, file, append: false, id: 'batch_1' };
        for (const moment of moments) {
          const faster = await killed(plan, moment);
          if (existsSync(file)) assert.equal(await rowsOf(kind, file), rows);
          else assert.equal(faster, false);
        }
        await finish(plan);
        assert.equal(await rowsOf(kind, file), rows);
        assert.deepEqual(
          readdirSync(folder)
            .filter((name) => name.startsWith(`killed.${kind}.`))
            .sort(),
          [`killed.${kind}.ndjson`],
        );
      });
    }

    test('leaves an extended database unchanged, or with all of the batch', async () => {
      const file = path.join(folder, 'added.sqlite');
      writeLines(file, 'a');
      await finish({ kind: 'sqlite', file, append: true, id: 'batch_1' });
      writeLines(file, 'b');
      const plan = { kind: 'sqlite', file, append: true, id: 'batch_2' } as const;
      for (const moment of moments) {
        const faster = await killed(plan, moment);
        const there = await rowsOf('sqlite', file);
        assert.ok(there === rows || there === 2 * rows, String(there));
        if (faster) assert.equal(there, 2 * rows);
      }
      await finish(plan);
      assert.equal(await rowsOf('sqlite', file), 2 * rows);
    });
  });
