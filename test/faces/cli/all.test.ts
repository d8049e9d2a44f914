import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import { Interruption } from '../../../src/faces/cli/exit-status-error.js';
import { argv, assertExit, extract, type Surroundings } from '../../support/cli.js';
import { aCoverage } from '../../support/coverage.js';
import {
  aHarbour,
  anAnswer,
  inventedRows,
  type ScriptedCall,
  scripted,
} from '../../support/invented-rows.js';
import { ndjsonValues } from '../../support/ndjson.js';

const page = (...names: string[]) => names.map((name) => aHarbour({ name }));
const pages = [page('a', 'b'), page('c'), page('d')];
const broken = new ExtractError('platform_rate_limited', 'Too fast.', {
  ...{ requestId: 'req_7', docsBase: 'https://docs.example', retryAfter: 40 },
});

async function all(script: readonly unknown[], args: readonly string[] = [], more: Surroundings = {}) {
  const calls: ScriptedCall[] = [];
  const surroundings = { endpoints: inventedRows, extractor: scripted(script, calls), ...more };
  return { ...(await extract(argv`maps harbours x --all ${args}`, surroundings)), calls };
}

const namesIn = (text: string) => ndjsonValues(text).map(({ name }) => name);

describe('--all', () => {
  test('follows the cursors to the end, with the same parameters', async () => {
    const { calls } = assertExit(await all(pages, argv`--limit 2`), 0);
    const queries = calls.map(({ params }) => params);
    const first = { query: 'x', limit: '2' };
    assert.deepEqual(queries, [first, { ...first, cursor: 'cursor-1' }, { ...first, cursor: 'cursor-2' }]);
  });

  test('as json: one envelope with all items, the last page’s meta and all that was charged', async () => {
    const { out } = await all(pages);
    assert.equal(out.trimEnd().split('\n').length, 1);
    const { data, meta } = JSON.parse(out);
    assert.deepEqual(data, pages.flat());
    const expected = {
      request_id: 'req_2',
      credits_charged: 9,
      credits_remaining: 49_991,
      next_cursor: null,
    };
    assert.partialDeepStrictEqual(meta, expected);
  });

  test('as JSON has the coverage of a list, and with sources that of a single page', async () => {
    const { coverage } = JSON.parse((await all(pages)).out);
    assert.deepEqual(coverage, {
      ...{ given: 4, total: null, ended: 'end', ignored: [], rounded: [] },
      routes: [0, 1, 2].map((page) => ({ route: `page-${page}`, outcome: 'answered' })),
    });
    const single = { endpoints: inventedRows, extractor: scripted(pages) };
    const { out } = await extract(argv`maps harbours x`, single);
    assert.deepEqual(Object.keys(JSON.parse(out)), ['data', 'meta']);
  });

  test('says at a terminal, whatever the format, that it is a part', async () => {
    const script = scripted(pages);
    const extractor: typeof script = {
      async answer(...args) {
        const answer = await script.answer(...args);
        const isLast = answer.meta.next_cursor === null;
        const { given = 0 } = answer.coverage ?? {};
        return { ...answer, coverage: aCoverage({ given, total: 10, ended: isLast ? 'visitors' : 'more' }) };
      },
    };
    for (const format of ['json', 'ndjson', 'csv', 'table']) {
      const { err } = await all([], ['--format', format], { extractor, stderrIsTTY: true });
      assert.match(err, /4 of 10 harbours: Google Maps shows visitors no more\./, format);
    }
    assert.equal((await all([], argv`--format ndjson`, { extractor })).err, '');
  });

  test('as ndjson and csv: each page is written as it comes', async () => {
    for (const [format, lines] of [
      ['ndjson', [2, 1, 1]],
      ['csv', [3, 1, 1]],
    ] as const) {
      const writes: number[] = [];
      const write = async (text: string) => {
        writes.push(text.trimEnd().split('\n').length);
      };
      await all(pages, argv`--format ${format} --fields name`, { write });
      assert.deepEqual(writes, lines);
    }
  });

  test('a cursor that comes again ends it', async () => {
    let calls = 0;
    const answer = async () => {
      calls += 1;
      return anAnswer([], { meta: { next_cursor: 'cursor-1' } });
    };
    assertExit(await all([], [], { extractor: { answer } }), 0);
    assert.equal(calls, 2);
  });
});

describe('--all that breaks off', () => {
  test('earlier pages are written, the error says how to continue, and the status is the error’s', async () => {
    for (const format of ['json', 'ndjson', 'csv', 'table']) {
      const ran = await all([...pages.slice(0, 2), broken], argv`--format ${format} --fields name`);
      assertExit(ran, 5, /Too fast\. .*3 items were returned before; continue with --cursor cursor-2/s);
      for (const name of ['a', 'b', 'c']) assert.match(ran.out, new RegExp(`\\b${name}\\b`), format);
    }
  });

  test('as json the envelope’s own cursor leads on', async () => {
    const { out, err } = await all([...pages.slice(0, 2), broken]);
    const { data, meta } = JSON.parse(out);
    assert.deepEqual([data.length, meta.next_cursor, meta.credits_charged], [3, 'cursor-2', 6]);
    const { type: _, message: __, ...error } = JSON.parse(err).error;
    const docs = 'https://docs.example/docs/errors/platform_rate_limited';
    assert.deepEqual(error, { code: 'platform_rate_limited', docs, request_id: 'req_7' });
  });

  test('on the first page nothing is written', async () => {
    for (const format of ['json', 'ndjson', 'csv', 'table']) {
      const { out, err } = assertExit(await all([broken], ['--format', format]), 5);
      assert.equal(out, '');
      assert.doesNotMatch(err, /cursor/);
    }
  });

  test('after an interruption it says where to continue', async () => {
    const ran = await all([pages[0], new Interruption('SIGINT')], argv`--format ndjson`);
    const said = /^Interrupted\. 2 items were returned before; continue with --cursor cursor-1$/m;
    const { out, closed } = assertExit(ran, 130, said);
    assert.deepEqual([namesIn(out), closed], [['a', 'b'], true]);
  });

  test('when the reader leaves, no further page is requested', async () => {
    const write = async () => {
      throw Object.assign(new Error('broken pipe'), { code: 'EPIPE' });
    };
    const { err, calls, closed } = assertExit(await all(pages, argv`--format ndjson`, { write }), 0);
    assert.deepEqual([err, calls.length, closed], ['', 1, true]);
  });
});

describe('remarks', () => {
  const look = { stdoutColumns: 80, stderrIsTTY: true, settings: { color: false } };

  test('on a terminal the cost goes to stderr', async () => {
    const { err } = await all(pages, [], look);
    assert.match(err, /^Fetched 2026-11-05T00:00:00\.000Z\n$/m);
  });

  test('--quiet leaves them out, and errors in', async () => {
    assert.equal((await all(pages, ['--quiet'], look)).err, '');
    assert.match((await all([broken], ['-q'], look)).err, /platform_rate_limited/);
  });

  test('an empty list is reported as such', async () => {
    const { out, err } = await all([[]], [], look);
    assert.equal(out, '');
    assert.match(err, /No items\.\n/);
  });
});
