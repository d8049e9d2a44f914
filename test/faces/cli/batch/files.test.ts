import assert from 'node:assert/strict';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { readXlsx } from 'hucre/xlsx';
import { ExtractError } from '../../../../lib/errors/extract-error.js';
import { duckdb } from '../../../files/result-files/harness.js';
import { argv, assertExit, extract } from '../../../support/cli.js';
import { aHarbour, anAnswer, inventedRows } from '../../../support/invented-rows.js';
import { ndjsonText } from '../../../support/ndjson.js';
import { newFiles } from '../../../support/new-files.js';
import { queryFile } from '../../../support/query-file.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

const folder = temporaryFolder();
const newFile = newFiles(folder);
const inputFile = (...ids: readonly string[]) => newFile('in.ndjson', ndjsonText(ids.map((id) => ({ id }))));

/** A batch of harbours into a file, of which one is not found. */
async function batch(input: string, output: string, options: readonly string[] = [], missing?: string) {
  const calls: string[] = [];
  const ran = await extract(argv`batch maps/harbour ${input} -o ${output} ${options}`, {
    endpoints: inventedRows,
    extractor: {
      async answer(_, params) {
        const id = String(params.id);
        calls.push(id);
        if (id === missing) throw new ExtractError('place_not_found', `There is no ${id}.`);
        return anAnswer(aHarbour({ name: id }));
      },
    },
  });
  return { ...ran, calls };
}

/** Names of the harbours in a file of any format, and codes of the inputs that failed. */
async function contentOf(file: string): Promise<{ names: unknown[]; failed: unknown[] }> {
  if (file.endsWith('.xlsx')) {
    const [results, errors] = (await readXlsx(readFileSync(file))).sheets;
    const [titles = [], ...rows] = results?.rows ?? [];
    return {
      names: rows.map((row) => row[titles.indexOf('name')]),
      failed: (errors?.rows ?? []).slice(1).map((row) => row.at(-2)),
    };
  }
  const rows = file.endsWith('.sqlite')
    ? [
        ...queryFile(file, 'SELECT name, NULL AS code FROM maps_harbour ORDER BY input'),
        ...queryFile(file, 'SELECT code FROM extract_errors'),
      ]
    : await duckdb(`SELECT name, error.code AS code FROM read_parquet('${file}')`);
  return {
    names: rows.filter(({ code }) => code === null).map(({ name }) => name),
    failed: rows.filter(({ code }) => code !== null).map(({ code }) => code),
  };
}

for (const kind of ['sqlite', 'parquet', 'xlsx'])
  describe(`extract batch -o FILE.${kind}`, () => {
    test('writes the results and the errors, and runs the failed inputs again', async () => {
      const [input, output] = [inputFile('a', 'b', 'c'), newFile(kind)];
      assertExit(await batch(input, output, [], 'b'), 7);
      assert.deepEqual(await contentOf(output), { names: ['a', 'c'], failed: ['place_not_found'] });
      const before = readFileSync(output);
      const resumed = assertExit(await batch(input, output, ['--resume']), 7);
      assert.deepEqual(resumed.calls, [], 'nothing is left to ask');
      assert.deepEqual(readFileSync(output), before, 'nor to write');
      const retried = assertExit(await batch(input, output, ['--retry-failed']), 0);
      assert.deepEqual(retried.calls, ['b']);
      assert.deepEqual(await contentOf(output), { names: ['a', 'b', 'c'], failed: [] });
    });

    test('refuses an existing file, and rewrites it on request', async () => {
      const [input, output] = [inputFile('a'), newFile(kind, 'of somebody else')];
      for (const options of [[], ['--resume']]) {
        assertExit(await batch(input, output, options), 2, /--overwrite/);
        assert.equal(readFileSync(output, 'utf8'), 'of somebody else');
      }
      assertExit(await batch(input, output, ['--overwrite']), 0);
      assert.deepEqual((await contentOf(output)).names, ['a']);
    });

    test('a run that ended before its file was built builds it when resumed, without a request', async () => {
      const [input, output] = [inputFile('a', 'b'), newFile(kind)];
      await batch(input, output);
      rmSync(output);
      writeFileSync(`${output}.new`, 'half of it');
      assert.deepEqual(assertExit(await batch(input, output, ['--resume']), 0).calls, []);
      assert.deepEqual((await contentOf(output)).names, ['a', 'b']);
      const name = path.basename(output);
      const names = readdirSync(folder).filter((one) => one.startsWith(name));
      assert.deepEqual(names.sort(), [name, `${name}.ndjson`, `${name}.ndjson.checkpoint`]);
    });
  });

describe('--append', () => {
  test('adds to a database, again and again, and never twice', async () => {
    const output = newFile('sqlite');
    for (const [ids, status] of [
      [['a', 'b'], 7],
      [['c', 'd'], 0],
      [['a', 'c'], 0],
    ] as const)
      assertExit(await batch(inputFile(...ids), output, ['--append'], 'b'), status);
    assert.deepEqual(await contentOf(output), { names: ['a', 'c', 'd'], failed: ['place_not_found'] });
  });

  test('works with files that can grow; a retry needs it again, and brings the rows up to date', async () => {
    assertExit(await batch(inputFile('a'), newFile('xlsx'), ['--append']), 2, /Cannot append to xlsx/);
    const [input, output] = [inputFile('a', 'b'), newFile('sqlite')];
    await batch(input, output, ['--append'], 'b');
    assertExit(await batch(input, output, ['--retry-failed']), 2, /started with --append/);
    assertExit(await batch(input, output, argv`--append --retry-failed`), 0);
    assert.deepEqual(await contentOf(output), { names: ['a', 'b'], failed: [] });
  });
});
