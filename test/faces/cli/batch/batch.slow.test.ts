import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import type { Answer } from '../../../../lib/call/envelope.js';
import { readConfig } from '../../../../lib/config.js';
import { ExtractError } from '../../../../lib/errors/extract-error.js';
import type { CommandExtractor } from '../../../../src/faces/cli/context.js';
import { Interruption } from '../../../../src/faces/cli/exit-status-error.js';
import { argv, assertExit, extract, type Surroundings } from '../../../support/cli.js';
import { aHarbour, harbourMeta, inventedRows } from '../../../support/invented-rows.js';
import { ndjsonValues } from '../../../support/ndjson.js';
import { newFiles } from '../../../support/new-files.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

const folder = temporaryFolder();
const newFile = newFiles(folder);
const fileOf = (text: string, ending = 'ndjson') => newFile(ending, text);

interface Call {
  readonly path: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly texts: boolean;
}

/** Answers a harbour named after the query; `no …` is not found. */
function harbours(calls: Call[] = [], over: Partial<Answer['meta']> = {}): Pick<CommandExtractor, 'answer'> {
  return {
    async answer({ path: name, many, credits }, params, options) {
      calls.push({ path: name, params, texts: options?.texts === true });
      const id = String(params.id ?? params.url ?? params.query);
      if (id.startsWith('no ')) throw new ExtractError('place_not_found', `There is no ${id.slice(3)}.`);
      const one = aHarbour({ name: id });
      return {
        source: 'platform',
        json: JSON.stringify(many ? [one, aHarbour({ name: `${id} 2` })] : one),
        meta: { ...harbourMeta, credits_charged: credits, ...over },
      };
    },
  };
}

const batch = (args: readonly string[], surroundings: Surroundings = {}) =>
  extract(['batch', ...args], { endpoints: inventedRows, extractor: harbours(), ...surroundings });

interface ResultLine {
  readonly input: unknown;
  readonly data?: { readonly name: string };
  readonly error?: { readonly code: string; readonly message: string };
}

const lines = (text: string): ResultLine[] => ndjsonValues(text);

describe('extract batch', () => {
  test('turns inputs into lines on stdout, prints a summary, and ends with 7 when lines failed', async () => {
    const input = fileOf('{"id":"a"}\n{"id":"no b"}\n{"id":"no c"}\nx\n');
    const { status, out, err, closed } = await batch(['maps/harbour', input]);
    assert.deepEqual([status, closed], [7, true]);
    const codes = lines(out).map(({ error }) => error?.code ?? null);
    assert.deepEqual(codes, [null, 'place_not_found', 'place_not_found', 'invalid_body']);
    assert.match(err, /4 inputs in \d+ s: 1 answered, 3 failed \(2 place not found, 1 invalid body\)\.\n/);
  });

  test('reads and writes CSV, its columns from the schema, cells that a spreadsheet would run made harmless', async () => {
    const input = fileOf('query,lat\n=SUM(1),2\nno x,\n', 'csv');
    const { out, status } = await batch(argv`maps/harbours ${input} --format csv`);
    assert.equal(status, 7);
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
        assertExit(
          await run(output, '--resume', ...resumed),
          2,
          new RegExp(`started ${words} ${option}; it can only be resumed the same way`),
        );
        assert.equal((await run(output, '--resume', ...begun)).status, 0);
      }
    });
  }

  test('applies parameters of the command line to every input, without repeating them in the lines', async () => {
    const calls: Call[] = [];
    const input = fileOf('{"id":"a"}\n{"id":"b","fresh":false}\n');
    const { out } = await batch(argv`maps/harbour ${input} --fresh`, { extractor: harbours(calls) });
    assert.deepEqual(
      calls.map(({ params }) => params),
      [
        { fresh: true, id: 'a' },
        { fresh: false, id: 'b' },
      ],
    );
    assert.deepEqual(lines(out)[0]?.input, { id: 'a' });
  });

  test('passes pace and concurrency on for its platform', async () => {
    const { opened } = await batch(argv`maps/harbour --concurrency 5 --pace-ms 0`, { stdin: '' });
    assert.deepEqual(opened, { cacheMemoryMb: 0, concurrency: { maps: 5 }, paceMs: { maps: 0 } });
  });

  test('a dry run shows price, balance and invalid lines, without any request', async () => {
    const calls: Call[] = [];
    const input = fileOf('{"id":"a"}\n{"id":"b","url":"c"}\n\nnonsense\n{"id":"d"}\n');
    const { out, status } = await batch(argv`maps/harbour ${input} --dry-run`, {
      extractor: harbours(calls),
    });
    const { data } = JSON.parse(out);
    const { problems, ...counts } = data;
    assert.deepEqual(problems, [
      {
        line: 2,
        code: 'conflicting_parameters',
        message: 'Line 2: Give either id or url, not both. Remove one of them.',
      },
      {
        line: 4,
        code: 'invalid_body',
        message: 'Line 4 is not a JSON object of parameters. Correct that line.',
      },
    ]);
    assert.deepEqual(counts, {
      ...{ endpoint: 'maps/harbour', inputs: 4, wrong: 2, calls: 2 },
      seconds: 0,
    });
    assert.equal(status, 7);
    assert.deepEqual(calls, []);
    const forPeople = await batch(argv`maps/harbour ${input} --dry-run`, { stdoutColumns: 60 });
    assert.match(forPeople.out, /^2 inputs\.\n2 invalid lines:\n/);
    assert.ok(
      forPeople.out.split('\n').every((line) => line.length <= 60),
      forPeople.out,
    );
    assert.equal((await batch(argv`maps/harbour ${fileOf('{"id":"a"}')} --dry-run`)).status, 0);
  });

  test('invalid options exit with 2 before anything is opened', async () => {
    const cases: [string[], RegExp][] = [
      [['maps/nowhere'], /Unknown endpoint/],
      [argv`maps/harbour --all`, /no pages to follow/],
      [argv`maps/harbour --flatten`, /returns one object/],
      [argv`maps/harbour --resume`, /--resume needs the output file/],
      [argv`maps/harbour -o x --resume --retry-failed`, /Give either --resume or --retry-failed/],
      [argv`maps/harbour --concurrency 0`, /whole number from 1 to 256/],
      [
        argv`maps/harbour --on-refusal fight`,
        /--on-refusal cannot be .*fight.* Choose from wait, stop, fail/,
      ],
      [['maps/harbour', path.join(folder, 'nowhere')], /No such file: /],
      [['maps/harbour', folder], / is a folder/],
      [[], /Missing argument <endpoint>/],
    ];
    for (const [args, message] of cases) {
      const { opened, out } = assertExit(await batch(args), 2, message);
      assert.equal(opened, undefined);
      assert.equal(out, '');
    }
  });

  test('an error that ends it early comes with the command to continue', async () => {
    const output = path.join(folder, 'limited.ndjson');
    const input = fileOf('{"id":"a"}\n{"id":"b"}\n{"id":"c"}\n');
    assertExit(
      await batch(argv`maps/harbour ${input} -o ${output} --limit-credits 5`),
      3,
      new RegExp(
        `Continue with: extract batch maps/harbour ${input} -o ${output} --limit-credits 5 --resume`,
      ),
      /insufficient_credits/,
    );
    assert.equal(lines(readFileSync(output, 'utf8')).length, 2);
    assertExit(await batch(argv`maps/harbour ${input} -o ${output} --limit-credits 6 --resume`), 0);
    assert.equal(lines(readFileSync(output, 'utf8')).length, 3);
  });

  test('a refusing platform stops it with 5 and a time to continue', async () => {
    const refusing = {
      answer: async () => {
        throw new ExtractError('platform_rate_limited', 'Too many.', { retryAfter: 3600 });
      },
    };
    const output = path.join(folder, 'refused.ndjson');
    const once = argv`maps/harbour ${fileOf('{"id":"a"}')} -o ${output} --wait-at-most 30m`;
    const { status, err } = await batch(once, {
      extractor: refusing,
      stderrIsTTY: true,
      settings: { color: false },
    });
    assert.equal(status, 5);
    assert.match(err, /Try again in 3600 s/);
    assert.match(err, /Continue with: extract batch .* --resume/);
    const failing = await batch(argv`maps/harbour --on-refusal fail`, {
      extractor: refusing,
      stdin: '{"id":"a"}',
    });
    assert.equal(failing.status, 7);
  });

  test('an interruption finishes calls in progress, prints how to continue and exits with 130', async () => {
    const ending = new AbortController();
    const input = fileOf(Array.from({ length: 500 }, (_, at) => `{"id":"h${at}"}\n`).join(''));
    const output = path.join(folder, 'interrupted.ndjson');
    let answers = 0;
    const counting = harbours();
    const { status, err } = await batch(argv`maps/harbour ${input} -o ${output}`, {
      signal: ending.signal,
      extractor: {
        async answer(endpoint, params, options) {
          answers += 1;
          if (answers === 40) ending.abort(new Interruption('SIGINT'));
          return counting.answer(endpoint, params, options);
        },
      },
    });
    assert.equal(status, 130);
    assert.match(err, /^\d+ of 500 inputs in /);
    assert.match(err, /Continue with: extract batch/);
    assert.equal(lines(readFileSync(output, 'utf8')).length, answers);
    assert.ok(answers < 100);
    assert.equal((await batch(argv`maps/harbour ${input} -o ${output} --resume`)).status, 0);
    assert.equal(lines(readFileSync(output, 'utf8')).length, 500);
  });

  test('a reader that leaves ends it without an error', async () => {
    const input = fileOf(Array.from({ length: 3000 }, (_, at) => `{"id":"h${at}"}\n`).join(''));
    const { status, err } = await batch(['maps/harbour', input], {
      async write() {
        throw Object.assign(new Error('write EPIPE'), { code: 'EPIPE' });
      },
      extractor: { ...harbours(), ledger: async () => ({ undo: async () => 0 }) as never },
    });
    assert.equal(status, 0);
    assert.equal(err, '');
  });

  test('--quiet prints nothing, and --progress jsonl ends with the totals', async () => {
    assert.equal((await batch(argv`maps/harbour -q`, { stdin: '{"id":"a"}' })).err, '');
    const { err } = await batch(argv`maps/harbour --progress jsonl`, { stdin: '{"id":"a"}\n{"id":"no b"}' });
    const { inputs_per_second: rate, ...end } = ndjsonValues(err).at(-1);
    assert.equal(typeof rate, 'number');
    assert.deepEqual(end, {
      ...{ event: 'end', inputs: 2, total: null, ok: 1, without_news: 0, parts: 0, ignored: [], rounded: [] },
      ...{
        failed: { place_not_found: 1 },
        credits_spent: 2,
        credits_given_back: 2,
        bytes_read: 24,
        bytes: null,
      },
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
