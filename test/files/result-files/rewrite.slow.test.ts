import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { readXlsx, writeXlsx } from 'hucre/xlsx';
import type { Endpoint } from '../../../lib/endpoint.js';
import { endpoints } from '../../../lib/endpoints.js';
import { parseSubject } from '../../../lib/suppressions/subject.js';
import { Traces } from '../../../lib/suppressions/traces.js';
import { forgetInOwnFiles } from '../../../src/compose/forget-in-own-files.js';
import { rewriteParquet } from '../../../src/files/result-files/parquet/rewrite-parquet.js';
import { inputParams } from '../../../src/files/result-files/result-file.js';
import { rewriteXlsx } from '../../../src/files/result-files/xlsx/rewrite-xlsx.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { type Answered, answersOf, copyToParquet, duckdb, writeAnswers } from './harness.js';

const folder = temporaryFolder();
const isGone = (text: string) => text.includes('zebrabaker');
const fileOf = (name: string) => path.join(folder, name);

/** Answers of an endpoint, and the same with others in between that are to go. */
async function answersToRewrite(endpoint: Endpoint) {
  const rest = await answersOf(endpoint);
  const param = inputParams(endpoint).find((name) => rest.some(({ input }) => name in (input as object)));
  const { data } = rest[0] as Answered;
  const input = { [String(param)]: '<zebrabaker> & _x0041_' };
  const error = { code: 'place_not_found', message: 'None.' };
  const gone: Answered = { input, data: endpoint.many ? (data as unknown[]).slice(0, 1) : data };
  const all = [gone, ...rest.flatMap((one) => [one, gone]), { input, error }];
  return { rest, all, removed: rest.length + 2 };
}

describe('files of results, written anew without some rows', () => {
  for (const endpoint of endpoints) {
    test(`${endpoint.path}: XLSX and Parquet are as if the rows had never come`, async () => {
      const { rest, all, removed } = await answersToRewrite(endpoint);
      const name = endpoint.path.replace('/', '-');
      for (const kind of ['xlsx', 'parquet'] as const) {
        const [file, draft, wanted] = ['all', 'draft', 'rest'].map((one) => fileOf(`${name}-${one}.${kind}`));
        assert.ok(file && draft && wanted);
        await writeAnswers(endpoint, kind, file, all, { groupRows: 3 });
        await writeAnswers(endpoint, kind, wanted, rest, { groupRows: 3 });
        if (kind === 'xlsx') {
          assert.equal(await rewriteXlsx(file, draft, isGone), removed);
          const read = async (one: string) => readXlsx(readFileSync(one), { readStyles: true });
          assert.deepEqual(await read(draft), await read(wanted));
          // What was written anew is this program's own again.
          assert.equal(await rewriteXlsx(draft, file, isGone), 0);
        } else {
          assert.equal(await rewriteParquet(file, draft, isGone), removed);
          for (const table of ['read_parquet', 'parquet_schema']) {
            const columns = table === 'read_parquet' ? '*' : '* EXCLUDE file_name';
            const read = (one: string) => duckdb(`SELECT ${columns} FROM ${table}('${one}')`);
            assert.deepEqual(await read(draft), await read(wanted));
          }
          assert.doesNotMatch(readFileSync(draft, 'latin1'), /zebrabaker/);
          assert.equal(await rewriteParquet(draft, file, isGone), 0);
        }
      }
    });
  }

  test('extract forget takes a subject out of both, and says what it left', async () => {
    const endpoint = endpoints.find(({ path: one }) => one === 'shortvideo/comments') as Endpoint;
    const home = temporaryFolder();
    const { all, removed } = await answersToRewrite(endpoint);
    for (const kind of ['xlsx', 'parquet'] as const)
      await writeAnswers(endpoint, kind, path.join(home, `run.${kind}`), all);
    writeFileSync(path.join(home, 'saved.xlsx'), await writeXlsx({ sheets: [{ name: 'A', rows: [['x']] }] }));
    const traces = new Traces([parseSubject('tiktok:@zebrabaker')]);
    const receipt = await forgetInOwnFiles([home], traces);
    assert.deepEqual(
      receipt.map((one) => [path.basename(one.place), one.removed]),
      [
        ['run.parquet', removed],
        ['run.xlsx', removed],
        ['saved.xlsx', null],
      ],
    );
    assert.match(receipt.at(-1)?.note ?? '', /Another program/);
    assert.doesNotMatch(readFileSync(path.join(home, 'run.parquet'), 'latin1'), /zebrabaker/i);
    const { sheets } = await readXlsx(readFileSync(path.join(home, 'run.xlsx')));
    assert.doesNotMatch(JSON.stringify(sheets), /zebrabaker/i);
    assert.deepEqual(readdirSync(home).sort(), ['run.parquet', 'run.xlsx', 'saved.xlsx']);
    const again = await forgetInOwnFiles([home], traces);
    assert.deepEqual(
      again.map(({ place }) => path.basename(place)),
      ['saved.xlsx'],
    );
  });

  test('a file of another program is not touched, nor is one that is none', async () => {
    const [sheet, table, none] = ['other.xlsx', 'other.parquet', 'none'].map(fileOf);
    assert.ok(sheet && table && none);
    writeFileSync(sheet, await writeXlsx({ sheets: [{ name: 'Results', rows: [['zebrabaker']] }] }));
    await copyToParquet("SELECT 'zebrabaker' AS name", table);
    writeFileSync(none, 'PAR1 zebrabaker');
    for (const file of [sheet, none]) assert.equal(await rewriteXlsx(file, fileOf('draft'), isGone), null);
    for (const file of [table, none]) assert.equal(await rewriteParquet(file, fileOf('draft'), isGone), null);
  });
});
