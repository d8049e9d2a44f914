import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { readConfig } from '../../../../lib/config.js';
import { ExtractError } from '../../../../lib/errors/extract-error.js';
import type { CommandExtractor } from '../../../../src/faces/cli/context.js';
import { argv, assertExit, extract, interruptedAt, type Surroundings } from '../../../support/cli.js';
import { aHarbour, anAnswer, inventedRows } from '../../../support/invented-rows.js';
import { ndjsonValues } from '../../../support/ndjson.js';
import { newFiles } from '../../../support/new-files.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

const folder = temporaryFolder();
const newFile = newFiles(folder);
const fileOf = (text: string, ending = 'ndjson') => newFile(ending, text);

/** Answers a harbour named after the query; `no …` is not found. */
function harbours(calls: object[] = []): Pick<CommandExtractor, 'answer'> {
  return {
    async answer({ many, credits }, params) {
      calls.push(params);
      const id = String(params.id ?? params.url ?? params.query);
      if (id.startsWith('no ')) throw new ExtractError('place_not_found', `There is no ${id.slice(3)}.`);
      const one = aHarbour({ name: id });
      const data = many ? [one, aHarbour({ name: `${id} 2` })] : one;
      return anAnswer(data, { meta: { credits_charged: credits } });
    },
  };
}

const batch = (args: readonly string[], surroundings: Surroundings = {}) =>
  extract(['batch', ...args], { endpoints: inventedRows, extractor: harbours(), ...surroundings });

const countOf = (file: string) => ndjsonValues(readFileSync(file, 'utf8')).length;
const ids = (count: number) => Array.from({ length: count }, (_, at) => `{"id":"h${at}"}\n`).join('');

describe('extract batch', () => {
  test('turns inputs into lines on stdout, prints a summary, and ends with 7 when lines failed', async () => {
    const input = fileOf('{"id":"a"}\n{"id":"no b"}\n{"id":"no c"}\nx\n');
    const said = /4 inputs in \d+ s: 1 answered, 3 failed \(2 place not found, 1 invalid body\)\.\n/;
    const { out, closed } = assertExit(await batch(['maps/harbour', input]), 7, said);
    assert.equal(closed, true);
    const codes = ndjsonValues(out).map(({ error }) => error?.code ?? null);
    assert.deepEqual(codes, [null, 'place_not_found', 'place_not_found', 'invalid_body']);
  });

  test('reads and writes CSV, its columns from the schema, cells that a spreadsheet would run made harmless', async () => {
    const input = fileOf('query,lat\n=SUM(1),2\nno x,\n', 'csv');
    const { out } = assertExit(await batch(argv`maps/harbours ${input} --format csv`), 7);
    const [head, first, second, failed, ...rest] = out.split('\n');
    assert.equal(
      head,
      'query,lat,max_depth,language,sort,limit,name,berths,location.lat,location.lng,open,tags,boats,page_url,note,source_id,source_url,author_handle,author_name,position,fetched_at,input_index,error.code,error.message',
    );
    assert.match(first ?? '', /^'=SUM\(1\),2,,,,,'=SUM\(1\),12,-41.5,8.25,true,"\[""calm"",""deep""\]",/);
    assert.match(second ?? '', /^'=SUM\(1\),2,,,,,'=SUM\(1\) 2,/);
    assert.equal(
      failed,
      'no x,,,,,,,,,,,,,,,,,,,,,1,place_not_found,There is no x. Check the ID; places are merged and removed.',
    );
    assert.deepEqual(rest, ['']);
  });

  for (const [option, needs] of [
    ['--csv-raw', []],
    ['--demo', []],
    ['--new-counts', argv`--new resumed`],
  ] as const) {
    test(`resumes only with the options it was started with: ${option}`, async () => {
      const home = path.join(folder, `home${option}`);
      const surroundings: Surroundings = { extractor: { ...harbours(), config: readConfig({ home }, {}) } };
      const run = (output: string, ...args: readonly string[]) =>
        batch(argv`maps/harbour ${fileOf('{"id":"a"}\n')} -o ${output} ${needs} ${args}`, surroundings);
      for (const [begun, resumed, words] of [
        [[option], [], 'with'],
        [[], [option], 'without'],
      ] as const) {
        const output = path.join(folder, `${words}${option}.csv`);
        assertExit(await run(output, ...begun), 0);
        const said = new RegExp(`started ${words} ${option}; it can only be resumed the same way`);
        assertExit(await run(output, '--resume', ...resumed), 2, said);
        assertExit(await run(output, '--resume', ...begun), 0);
      }
    });
  }

  test('applies parameters of the command line to every input, without repeating them in the lines', async () => {
    const calls: object[] = [];
    const input = fileOf('{"id":"a"}\n{"id":"b","fresh":false}\n');
    const { out } = await batch(argv`maps/harbour ${input} --fresh`, { extractor: harbours(calls) });
    const [first, second] = [
      { fresh: true, id: 'a' },
      { fresh: false, id: 'b' },
    ];
    assert.deepEqual(calls, [first, second]);
    assert.deepEqual(ndjsonValues(out)[0].input, { id: 'a' });
  });

  test('passes pace and concurrency on for its platform', async () => {
    const { opened } = await batch(argv`maps/harbour --concurrency 5 --pace-ms 0`, { stdin: '' });
    assert.deepEqual(opened, { cacheMemoryMb: 0, concurrency: { maps: 5 }, paceMs: { maps: 0 } });
  });

  test('a dry run shows price, balance and invalid lines, without any request', async () => {
    const calls: object[] = [];
    const input = fileOf('{"id":"a"}\n{"id":"b","url":"c"}\n\nnonsense\n{"id":"d"}\n');
    const dry = await batch(argv`maps/harbour ${input} --dry-run`, { extractor: harbours(calls) });
    const { problems, ...counts } = JSON.parse(assertExit(dry, 7).out).data;
    const messages = [
      'Line 2: Give either id or url, not both. Remove one of them.',
      'Line 4 is not a JSON object of parameters. Correct that line.',
    ];
    assert.deepEqual(problems, [
      { line: 2, code: 'conflicting_parameters', message: messages[0] },
      { line: 4, code: 'invalid_body', message: messages[1] },
    ]);
    assert.deepEqual(counts, { endpoint: 'maps/harbour', inputs: 4, wrong: 2, calls: 2, seconds: 0 });
    assert.deepEqual(calls, []);
    const forPeople = await batch(argv`maps/harbour ${input} --dry-run`, { stdoutColumns: 60 });
    assert.match(forPeople.out, /^2 inputs\.\n2 invalid lines:\n/);
    for (const line of forPeople.out.split('\n')) assert.ok(line.length <= 60, line);
    assertExit(await batch(argv`maps/harbour ${fileOf('{"id":"a"}')} --dry-run`), 0);
  });

  test('invalid options exit with 2 before anything is opened', async () => {
    const cases: [string[], RegExp][] = [
      [['maps/nowhere'], /Unknown endpoint/],
      [argv`maps/harbour --all`, /no pages to follow/],
      [argv`maps/harbour --flatten`, /returns one object/],
      [argv`maps/harbour --resume`, /--resume needs the output file/],
      [argv`maps/harbour -o x --resume --retry-failed`, /Give either --resume or --retry-failed/],
      [argv`maps/harbour --concurrency 0`, /whole number from 1 to 256/],
      [argv`maps/harbour --on-refusal fight`, /--on-refusal cannot be .*fight.* Choose from wait, stop/],
      [['maps/harbour', path.join(folder, 'nowhere')], /No such file: /],
      [['maps/harbour', folder], / is a folder/],
      [[], /Missing argument <endpoint>/],
    ];
    for (const [args, message] of cases) {
      const { opened, out } = assertExit(await batch(args), 2, message);
      assert.deepEqual([opened, out], [undefined, '']);
    }
  });

  test('an error that ends it early comes with the command to continue', async () => {
    const output = path.join(folder, 'limited.ndjson');
    const args = argv`maps/harbour ${fileOf(ids(3))} -o ${output} --limit-credits`;
    const said = `Continue with: extract batch ${args.join(' ')} 5 --resume`;
    assertExit(await batch([...args, '5']), 3, new RegExp(said), /insufficient_credits/);
    assert.equal(countOf(output), 2);
    assertExit(await batch([...args, '6', '--resume']), 0);
    assert.equal(countOf(output), 3);
  });

  test('a refusing platform stops it with 5 and a time to continue', async () => {
    const refusing = {
      answer: async () => {
        throw new ExtractError('platform_rate_limited', 'Too many.', { retryAfter: 3600 });
      },
    };
    const output = path.join(folder, 'refused.ndjson');
    const once = argv`maps/harbour ${fileOf('{"id":"a"}')} -o ${output} --wait-at-most 30m`;
    const look = { extractor: refusing, stderrIsTTY: true, settings: { color: false } };
    const said = [/Try again in 3600 s/, /Continue with: extract batch .* --resume/];
    assertExit(await batch(once, look), 5, ...said);
    const failing = { extractor: refusing, stdin: '{"id":"a"}' };
    assertExit(await batch(argv`maps/harbour --on-refusal fail`, failing), 7);
  });

  test('an interruption finishes calls in progress, prints how to continue and exits with 130', async () => {
    const calls: object[] = [];
    const output = path.join(folder, 'interrupted.ndjson');
    const args = argv`maps/harbour ${fileOf(ids(500))} -o ${output}`;
    const stopped = await batch(args, interruptedAt(40, harbours(calls)));
    assertExit(stopped, 130, /^\d+ of 500 inputs in /, /Continue with: extract batch/);
    assert.equal(countOf(output), calls.length);
    assert.ok(calls.length < 100);
    assertExit(await batch([...args, '--resume']), 0);
    assert.equal(countOf(output), 500);
  });

  test('a reader that leaves ends it without an error', async () => {
    const { status, err } = await batch(['maps/harbour', fileOf(ids(3000))], {
      async write() {
        throw Object.assign(new Error('write EPIPE'), { code: 'EPIPE' });
      },
      extractor: { ...harbours(), ledger: async () => ({ undo: async () => 0 }) as never },
    });
    assert.deepEqual([status, err], [0, '']);
  });

  test('--quiet prints nothing, and --progress jsonl ends with the totals', async () => {
    assert.equal((await batch(argv`maps/harbour -q`, { stdin: '{"id":"a"}' })).err, '');
    const { err } = await batch(argv`maps/harbour --progress jsonl`, { stdin: '{"id":"a"}\n{"id":"no b"}' });
    const { inputs_per_second: rate, ...end } = ndjsonValues(err).at(-1);
    assert.equal(typeof rate, 'number');
    assert.deepEqual(end, {
      ...{ event: 'end', inputs: 2, total: null, ok: 1, without_news: 0, parts: 0, ignored: [], rounded: [] },
      ...{ failed: { place_not_found: 1 }, credits_spent: 2, credits_given_back: 2 },
      ...{ bytes_read: 24, bytes: null },
      ...{ seconds_left: 0, refusal: null, browser_visits: { open: 0, begun: 0 }, stopping: false },
    });
  });

  test('at a terminal shows its progress on stderr and takes it away', async () => {
    const output = path.join(folder, 'seen.ndjson');
    const { err } = await batch(argv`maps/harbour ${fileOf('{"id":"a"}\n')} -o ${output}`, {
      stderrIsTTY: true,
    });
    assert.match(err, /1 input in \d+ s: 1 answered\.\n/);
    assert.ok(err.includes('\u001b['), 'something was drawn');
  });

  test('page content cannot control a terminal', async () => {
    const { out } = await batch(['maps/harbour'], { stdin: '{"id":"a\u009b31m"}', stdoutColumns: 80 });
    assert.ok(!out.includes('\u009b'));
    assert.ok(out.includes('\\u009b'));
  });
});
