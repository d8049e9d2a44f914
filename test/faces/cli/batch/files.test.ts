import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { readXlsx } from 'hucre/xlsx';
import type { Answer } from '../../../../lib/call/envelope.js';
import { ExtractError } from '../../../../lib/errors/extract-error.js';
import type { CommandExtractor } from '../../../../src/faces/cli/context.js';
import { duckdb } from '../../../files/result-files/harness.js';
import { argv, assertExit, extract } from '../../../support/cli.js';
import { aHarbour, harbourMeta, inventedRows } from '../../../support/invented-rows.js';
import { ndjsonText } from '../../../support/ndjson.js';
import { newFiles } from '../../../support/new-files.js';
import { queryFile } from '../../../support/query-file.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

const folder = temporaryFolder();
const newFile = newFiles(folder);
const inputFile = (ids: readonly string[]) => newFile('in.ndjson', ndjsonText(ids.map((id) => ({ id }))));

/** Answers harbours; those that `missing` names are not found. */
function harbours(missing: ReadonlySet<string>, calls: string[] = []): Pick<CommandExtractor, 'answer'> {
  return {
    async answer({ many }, params): Promise<Answer> {
      const id = String(params.id);
      calls.push(id);
      if (missing.has(id)) throw new ExtractError('place_not_found', `There is no ${id}.`);
      const one = aHarbour({ name: id });
      return { source: 'platform', json: JSON.stringify(many ? [one] : one), meta: harbourMeta };
    },
  };
}

const batch = (args: readonly string[], missing: readonly string[] = [], calls: string[] = []) =>
  extract(['batch', ...args], { endpoints: inventedRows, extractor: harbours(new Set(missing), calls) });

/** Names of the harbours in a file of any format, and of the inputs that failed. */
async function contentOf(file: string): Promise<{ names: unknown[]; failed: unknown[] }> {
  if (file.endsWith('.sqlite')) {
    return {
      names: queryFile(file, 'SELECT name FROM maps_harbour ORDER BY input').map(({ name }) => name),
      failed: queryFile(file, 'SELECT code FROM extract_errors').map(({ code }) => code),
    };
  }
  if (file.endsWith('.parquet')) {
    const rows = await duckdb(`SELECT name, error.code AS code FROM read_parquet('${file}')`);
    return {
      names: rows.filter(({ code }) => code === null).map(({ name }) => name),
      failed: rows.filter(({ code }) => code !== null).map(({ code }) => code),
    };
  }
  const { sheets } = await readXlsx(readFileSync(file));
  const [titles = [], ...rows] = sheets[0]?.rows ?? [];
  return {
    names: rows.map((row) => row[titles.indexOf('name')]),
    failed: (sheets[1]?.rows ?? []).slice(1).map((row) => row.at(-2)),
  };
}

for (const kind of ['sqlite', 'parquet', 'xlsx']) {
  describe(`extract batch -o FILE.${kind}`, () => {
    test('writes the results and the errors, and runs the failed inputs again', async () => {
      const output = newFile(kind);
      const input = inputFile(['a', 'b', 'c']);
      assertExit(await batch(argv`maps/harbour ${input} -o ${output}`, ['b']), 7);
      assert.deepEqual(await contentOf(output), { names: ['a', 'c'], failed: ['place_not_found'] });

      const calls: string[] = [];
      const before = readFileSync(output);
      assertExit(await batch(argv`maps/harbour ${input} -o ${output} --resume`, [], calls), 7);
      assert.deepEqual(calls, [], 'nothing is left to ask');
      assert.deepEqual(readFileSync(output), before, 'nor to write');

      assertExit(await batch(argv`maps/harbour ${input} -o ${output} --retry-failed`, [], calls), 0);
      assert.deepEqual(calls, ['b']);
      assert.deepEqual(await contentOf(output), { names: ['a', 'b', 'c'], failed: [] });
    });

    test('refuses an existing file, and rewrites it on request', async () => {
      const output = newFile(kind);
      writeFileSync(output, 'of somebody else');
      const input = inputFile(['a']);
      for (const more of [[], ['--resume']]) {
        assertExit(await batch(argv`maps/harbour ${input} -o ${output} ${more}`), 2, /--overwrite/);
        assert.equal(readFileSync(output, 'utf8'), 'of somebody else');
      }
      assert.equal((await batch(argv`maps/harbour ${input} -o ${output} --overwrite`)).status, 0);
      assert.deepEqual((await contentOf(output)).names, ['a']);
    });

    test('a run that ended before its file was built builds it when resumed, without a request', async () => {
      const output = newFile(kind);
      const input = inputFile(['a', 'b']);
      await batch(argv`maps/harbour ${input} -o ${output}`);
      rmSync(output);
      writeFileSync(`${output}.new`, 'half of it');
      const calls: string[] = [];
      assertExit(await batch(argv`maps/harbour ${input} -o ${output} --resume`, [], calls), 0);
      assert.deepEqual(calls, []);
      assert.deepEqual((await contentOf(output)).names, ['a', 'b']);
      const name = path.basename(output);
      const names = readdirSync(folder).filter((one) => one.startsWith(name));
      assert.deepEqual(names.sort(), [name, `${name}.ndjson`, `${name}.ndjson.checkpoint`]);
    });
  });
}

describe('--append', () => {
  test('adds to a database, again and again, and never twice', async () => {
    const output = newFile('sqlite');
    const run = (ids: readonly string[], ...more: string[]) =>
      batch(argv`maps/harbour ${inputFile(ids)} -o ${output} --append ${more}`, ['b']);
    assert.equal((await run(['a', 'b'])).status, 7);
    assert.equal((await run(['c', 'd'])).status, 0);
    assert.equal((await run(['a', 'c'])).status, 0);
    assert.deepEqual((await contentOf(output)).names, ['a', 'c', 'd']);
    assert.deepEqual((await contentOf(output)).failed, ['place_not_found']);
  });

  test('works with files that can grow, and a batch resumes with the same options', async () => {
    const refused = await batch(argv`maps/harbour ${inputFile(['a'])} -o ${newFile('xlsx')} --append`);
    assertExit(refused, 2, /Cannot append to xlsx/);
    const output = newFile('sqlite');
    const input = inputFile(['a', 'b']);
    await batch(argv`maps/harbour ${input} -o ${output} --append`, ['b']);
    const other = await batch(argv`maps/harbour ${input} -o ${output} --retry-failed`);
    assertExit(other, 2, /started with --append/);
    assert.equal(existsSync(output), true);
  });

  test('a retry of a batch that was added brings its rows up to date', async () => {
    const output = newFile('sqlite');
    const input = inputFile(['a', 'b']);
    await batch(argv`maps/harbour ${input} -o ${output} --append`, ['b']);
    assertExit(await batch(argv`maps/harbour ${input} -o ${output} --append --retry-failed`), 0);
    assert.deepEqual(await contentOf(output), { names: ['a', 'b'], failed: [] });
  });
});
