import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, beforeEach, describe, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { BatchOptions } from '../../../lib/batch/run-batch.js';
import type { Coverage } from '../../../lib/call/coverage.js';
import type { Endpoint } from '../../../lib/endpoint.js';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import { systemClock } from '../../../lib/runtime/clock.js';
import { lockFile } from '../../../lib/runtime/file-lock.js';
import { ownerText, thisProcess } from '../../../lib/runtime/process-owner.js';
import { FailedLines } from '../../../src/faces/cli/batch/failed-text.js';
import { batchPaths } from '../../../src/files/batch-files/batch-paths.js';
import { type BatchOutcome, runToSink } from '../../../src/files/batch-files/batch-run.js';
import { openBuiltFile } from '../../../src/files/batch-files/built-file.js';
import { type InputResult, ndjsonFormat } from '../../../src/files/batch-files/line-format.js';
import { type OpenMode, openBatchFile } from '../../../src/files/batch-files/open-batch-file.js';
import { streamOutput } from '../../../src/files/batch-files/output.js';
import { readInputs } from '../../../src/files/batch-files/read-inputs.js';
import { resultFile } from '../../../src/files/batch-files/result-output.js';
import { streamSink } from '../../../src/files/batch-files/run-sink.js';
import { ndjsonText, ndjsonValues } from '../../support/ndjson.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import {
  type Reads,
  type TestClient,
  testClient,
  thingEndpoint,
  thingsEndpoint,
} from '../../support/test-client.js';

const folder = temporaryFolder();
let runs = 0;
let home: string;
let output: string;
let client: TestClient;
const open: TestClient[] = [];

beforeEach(() => {
  runs += 1;
  home = path.join(folder, String(runs));
  mkdirSync(home);
  client = testClient(home);
  output = path.join(home, 'out.ndjson');
  open.push(client);
});
after(() => Promise.all(open.map((one) => one.close())));

/** Names that are not found while they are in this set. */
const missing = new Set<string>();
const reads: Reads = async ({ name }) => {
  if (missing.has(name)) throw new ExtractError('place_not_found', `There is no ${name}.`);
  return { data: { name, note: name === 'noted' ? 'yes' : null } };
};
const thing = thingEndpoint(reads);

const inputOf = (names: readonly string[]) => ndjsonText(names.map((name) => ({ name })));

function inputs(text: string, endpoint: Endpoint = thing) {
  async function* chunks() {
    yield Buffer.from(text);
  }
  return readInputs(chunks(), { format: 'ndjson', endpoint, nameOf: () => 'name' });
}

interface Wanted {
  readonly mode?: OpenMode;
  readonly endpoint?: Endpoint;
  readonly all?: boolean;
  readonly thenLimit?: number;
  readonly flatten?: boolean;
  readonly options?: BatchOptions;
  readonly onLine?: (inputs: number) => void;
}

async function run(
  text: string,
  { mode = 'begin', endpoint = thing, all = false, flatten = false, thenLimit, options, onLine }: Wanted = {},
): Promise<BatchOutcome> {
  const shape = { output: 'ndjson', all, flatten, ...(thenLimit && { thenLimit }) } as const;
  const batch = { endpoint: endpoint.path, shape };
  const session = await openBatchFile({ file: output, mode, clock: systemClock, batch });
  failed = new FailedLines('line');
  const format = failed.noting(ndjsonFormat(flatten));
  const plan = runOf(inputs(text, endpoint), { concurrency: 4, all, ...options });
  return runToSink({ ...plan, endpoint, format, onLine: (totals) => onLine?.(totals.inputs) }, session);
}

function runOf(fileInputs: ReturnType<typeof inputs>, options: BatchOptions) {
  return {
    client,
    endpoint: thing,
    inputs: fileInputs,
    format: ndjsonFormat(false),
    clock: systemClock,
    options,
  };
}

const text = () => readFileSync(output, 'utf8').replace(/batch_[0-9A-Z]{26}/g, 'batch_x');
interface ResultLine {
  readonly input: { readonly name: string };
  readonly data?: { readonly name: string };
  readonly error?: { readonly code: string };
  readonly coverage?: Coverage;
}

const lines = (): ResultLine[] => ndjsonValues(text());
const names = () => lines().map(({ data }) => data?.name);
const codeOf = ({ error }: BatchOutcome) => (error as ExtractError | null)?.code;
const spent = async () => 50_000 - (await client.books.balance('local')).credits;
let failed = new FailedLines('line');
const many = (to: number) => Array.from({ length: to }, (_, at) => `name${at}`);

/** Runs until so many lines are final, and stops there. */
async function stoppedAt(count: number, input: string, wanted: Wanted = {}): Promise<BatchOutcome> {
  const stop = new AbortController();
  return run(input, {
    ...wanted,
    options: { ...wanted.options, stop: stop.signal },
    onLine: (done) => {
      if (done >= count) stop.abort();
    },
  });
}

describe('a batch into a file', () => {
  test('writes the lines of the contract, in order, one for each input', async () => {
    missing.add('lost');
    const ended = await run('{"name":"a"}\n\n{"name":"lost"}\n{"title":"b"}\nnot json\n{"name":"noted"}');
    missing.clear();
    assert.equal(
      text(),
      [
        '{"input":{"name":"a"},"data":{"name":"a","note":null}}',
        '{"input":{"name":"lost"},"error":{"type":"not_found","code":"place_not_found","message":"There is no lost. Check the ID; places are merged and removed.","docs":"https://docs.test/docs/errors/place_not_found","request_id":"batch_x:1"}}',
        '{"input":{"title":"b"},"error":{"type":"invalid_request","code":"renamed_parameter","message":"Line 4: The parameter title is now called name. Use the new name.","docs":"https://docs.test/docs/errors/renamed_parameter","request_id":"batch_x:2"}}',
        '{"input":"not json","error":{"type":"invalid_request","code":"invalid_body","message":"Line 5 is not a JSON object of parameters. Correct that line.","docs":"https://docs.test/docs/errors/invalid_body","request_id":"batch_x:3"}}',
        '{"input":{"name":"noted"},"data":{"name":"noted","note":"yes"}}',
        '',
      ].join('\n'),
    );
    assert.equal(ended.finished, true);
    assert.equal(ended.error, null);
    assert.deepEqual(ended.totals.failed, { place_not_found: 1, renamed_parameter: 1, invalid_body: 1 });
    assert.deepEqual([ended.totals.ok, ended.totals.charged, ended.totals.givenBack], [2, 6, 3]);
  });
});

describe('a resumed batch', () => {
  test('continues after the last line, to the same bytes at the same price', async () => {
    missing.add('name7');
    const input = inputOf(many(100));
    const first = await stoppedAt(20, input);
    assert.equal(first.finished, false);
    assert.ok(first.totals.inputs >= 20 && first.totals.inputs < 40);
    const second = await run(input, { mode: 'resume' });
    assert.equal(second.finished, true);
    const disturbed = text();
    assert.equal(await spent(), 99 * 3);
    output = path.join(home, 'calm.ndjson');
    const calm = await run(input);
    missing.clear();
    assert.equal(disturbed, text());
    assert.deepEqual(second.totals, calm.totals);
  });

  test('repairs a truncated last line, and drops unconfirmed lines', async () => {
    const input = inputOf(many(30));
    await stoppedAt(10, input);
    const whole = readFileSync(output, 'utf8');
    writeFileSync(output, `${whole}{"input":{"name":"name9`);
    await run(input, { mode: 'resume' });
    assert.deepEqual(names(), many(30));
  });

  test('may begin with --resume, and has nothing to do when it is done', async () => {
    const input = inputOf(many(5));
    assert.equal((await run(input, { mode: 'resume' })).totals.ok, 5);
    const before = text();
    const again = await run(input, { mode: 'resume' });
    assert.deepEqual([again.finished, again.totals.ok], [true, 5]);
    assert.equal(text(), before);
    assert.equal(await spent(), 15);
  });

  test('refuses another input, and changes nothing', async () => {
    await stoppedAt(10, inputOf(many(30)));
    const before = text();
    const money = await spent();
    for (const other of [inputOf(['other', ...many(29)]), inputOf(many(3))]) {
      const ended = await run(other, { mode: 'resume' });
      assert.match(String(ended.error), /has changed since the batch was started/);
      assert.equal(text(), before);
    }
    assert.equal(await spent(), money);
    assert.equal((await run(inputOf(many(30)), { mode: 'resume' })).finished, true);
  });

  test('is distinguished from another endpoint and other options', async () => {
    await stoppedAt(10, inputOf(many(30)));
    const others: readonly (readonly [Wanted, RegExp])[] = [
      [{ endpoint: thingsEndpoint(reads) }, /started with maps\/thing/],
      [{ all: true }, /started without --all/],
      [{ thenLimit: 3 }, /started without --then-limit/],
    ];
    for (const [other, message] of others)
      await assert.rejects(run('', { mode: 'resume', ...other }), { message });
  });

  test('is not overwritten by mistake, but on demand', async () => {
    await stoppedAt(10, inputOf(many(30)));
    await assert.rejects(run(inputOf(['z'])), {
      code: 'invalid_parameter',
      message: /--resume continues it/,
    });
    assert.equal((await run(inputOf(['z']), { mode: 'overwrite' })).finished, true);
    const message = /exists and is finished: --retry-failed .*, --overwrite starts over/;
    await assert.rejects(run(inputOf(['y'])), { code: 'invalid_parameter', message });
    assert.equal(lines().length, 1);
  });

  test('begins in no file that is there already, not even in an empty one', async () => {
    for (const content of ['precious\n', '']) {
      writeFileSync(output, content);
      const message = 'out.ndjson exists. Choose another file, or replace it with --overwrite.';
      await assert.rejects(run(inputOf(['a'])), { code: 'invalid_parameter', message });
      assert.equal(readFileSync(output, 'utf8'), content);
      assert.equal(existsSync(`${output}.checkpoint`), false);
    }
    assert.equal((await run(inputOf(['a']), { mode: 'resume' })).finished, true);
  });

  test('without a checkpoint is refused when there is an output', async () => {
    writeFileSync(output, 'precious\n');
    for (const mode of ['resume', 'retry'] as const)
      await assert.rejects(run('', { mode }), { message: /no checkpoint/ });
    assert.equal(readFileSync(output, 'utf8'), 'precious\n');
  });

  test('an overwrite that cannot reach its database is refused, and leaves no lock', async () => {
    const file = path.join(home, 'out.sqlite');
    writeFileSync(file, 'no database');
    const built = {
      ...{ endpoint: thing, append: true, sources: false, onlyNew: false },
      kind: 'sqlite',
      file,
    } as const;
    const shape = { output: 'sqlite', all: false, flatten: false } as const;
    const batch = { endpoint: thing.path, shape };
    const opening = { mode: 'overwrite', clock: systemClock, batch } as const;
    const message = /^The database cannot be used: it is not an SQLite database\./;
    for (const _ of [1, 2])
      await assert.rejects(openBuiltFile(resultFile(built, systemClock), opening), { message });
  });

  test('is written by one process at a time', async () => {
    const held = await lockFile(`${output}.checkpoint.lock`);
    assert.ok(held);
    await assert.rejects(run(inputOf(['a'])), {
      message: /^Another process is writing out\.ndjson\. Wait for/,
    });
    held.release();
    assert.equal((await run(inputOf(['a']))).finished, true);
  });

  for (const [left, content] of [
    ['empty', ''],
    ['of an earlier version', ownerText(thisProcess())],
    ['that is cut off', '["host","bo'],
  ] as const) {
    test(`is not blocked by a stale lock file ${left}`, async () => {
      writeFileSync(`${output}.checkpoint.lock`, content);
      assert.equal((await run(inputOf(['a']))).finished, true);
      assert.equal(existsSync(`${output}.checkpoint.lock`), false);
    });
  }

  test('a limit ends it at the same position, however often it is resumed', async () => {
    const input = inputOf(many(40));
    const limited = { options: { limitCredits: 60 } };
    await stoppedAt(8, input, limited);
    const ended = await run(input, { mode: 'resume', ...limited });
    assert.equal(codeOf(ended), 'insufficient_credits');
    assert.equal(lines().length, 20);
    assert.equal(await spent(), 60);
    const further = await run(input, { mode: 'resume', options: { limitCredits: 90 } });
    assert.equal(further.totals.charged, 90);
    assert.equal(await spent(), 90);
  });
});

describe('a limit of a batch over whole lists that was killed', () => {
  const pageCount = 5;
  let hung: Promise<never> | undefined;
  const things = thingsEndpoint(async ({ name, position }) => {
    if (name === 'a' && hung !== undefined) await hung;
    const page = Number(position ?? 1);
    return {
      data: [{ name: `${name}-${page}` }],
      sources: [],
      ids: [`${name}-${page}`],
      next: page < pageCount ? page + 1 : null,
    };
  });
  const input = inputOf(['a', 'b', 'c', 'd']);

  /** The first input hangs until the others are read to their ends. */
  async function killed(): Promise<void> {
    const kill = new AbortController();
    hung = new Promise((_, reject) => {
      kill.signal.addEventListener('abort', () => reject(kill.signal.reason));
    });
    hung.catch(() => undefined);
    const ended = run(input, { endpoint: things, all: true, options: { signal: kill.signal } });
    const paid = async () => (await client.books.usage('local', { limit: 100 })).rows.length;
    while ((await paid()) < 3 * pageCount) await nextTurn();
    kill.abort(new Error('killed'));
    hung = undefined;
    assert.equal((await ended).totals.inputs, 0);
    assert.equal(await spent(), 3 * pageCount * 2);
  }

  test('also applies to the pages of inputs that are resumed', async () => {
    await killed();
    const limited = { endpoint: things, all: true, options: { concurrency: 1, limitCredits: 34 } };
    const ended = await run(input, { mode: 'resume', ...limited });
    assert.equal(codeOf(ended), 'insufficient_credits');
    assert.equal(await spent(), 34);
    const whole = { ...limited, options: { concurrency: 1, limitCredits: 40 } };
    const further = await run(input, { mode: 'resume', ...whole });
    assert.deepEqual([further.error, further.totals.charged, await spent()], [null, 40, 40]);
  });

  test('applies to retries of failed inputs', async () => {
    missing.add('b');
    const names = inputOf(['a', 'b', 'c']);
    await run(names, { endpoint: thing });
    missing.clear();
    const poor = await run(names, { mode: 'retry', options: { limitCredits: 8 } });
    assert.equal(codeOf(poor), 'insufficient_credits');
    const enough = await run(names, { mode: 'resume', options: { limitCredits: 9 } });
    assert.deepEqual([enough.error, enough.totals.charged, await spent()], [null, 9, 9]);
  });

  test('is not exceeded by resumed pages', async () => {
    await killed();
    const whole = { endpoint: things, all: true, options: { limitCredits: 40 } };
    const ended = await run(input, { mode: 'resume', ...whole });
    assert.deepEqual([ended.error, ended.totals.charged, await spent()], [null, 40, 40]);
  });
});

describe('a list of which a page failed', () => {
  const torn = new Set<string>();
  let fault: 'platform_unavailable' | 'platform_blocked' = 'platform_unavailable';
  const asked: string[] = [];
  const things = thingsEndpoint(async ({ name, position }) => {
    const page = Number(position ?? 1);
    asked.push(`${name}-${page}`);
    if (torn.has(`${name}-${page}`)) throw new ExtractError(fault, 'HTTP 500.');
    return {
      data: [{ name: `${name}-${page}` }],
      ids: [`${name}-${page}`],
      next: page < 4 ? page + 1 : null,
    };
  });
  const input = inputOf(['a', 'b', 'c']);
  const wanted = { endpoint: things, all: true };
  const itemsOf = ({ data }: ResultLine) => (data as unknown as { name: string }[]).map(({ name }) => name);

  /** Without the cache, which would answer for what was read before. */
  async function again(over: Wanted = {}): Promise<BatchOutcome> {
    await (await client.cache()).clear();
    asked.length = 0;
    return run(input, { ...wanted, mode: 'retry', ...over });
  }

  beforeEach(() => {
    torn.clear();
    fault = 'platform_unavailable';
    asked.length = 0;
  });

  test('keeps earlier pages, charged, with the reason; the rest comes by its cursor, without repeating a request', async () => {
    torn.add('b-3');
    const ended = await run(input, wanted);
    const [, second] = lines();
    assert.deepEqual(second && itemsOf(second), ['b-1', 'b-2']);
    assert.equal(second?.error?.code, 'platform_unavailable');
    assert.deepEqual([second?.coverage?.given, second?.coverage?.ended], [2, 'refused']);
    assert.deepEqual(ended.totals.failed, { platform_unavailable: 1 });
    assert.deepEqual([ended.totals.charged, await spent()], [20, 20]);

    torn.add('b-4').delete('b-3');
    const further = await again();
    assert.deepEqual(asked, ['b-3', 'b-4']);
    const lengths = lines().map(({ data }) => (data as unknown as object[]).length);
    assert.deepEqual(lengths, [4, 3, 4]);
    assert.equal(lines()[1]?.error?.code, 'platform_unavailable');
    assert.deepEqual([further.totals.charged, await spent()], [22, 22]);

    torn.clear();
    const whole = await again();
    assert.deepEqual(asked, ['b-4']);
    const rows = lines().map((line) => [itemsOf(line).length, line.error]);
    assert.deepEqual(rows, Array(3).fill([4, undefined]));
    assert.deepEqual([whole.totals.failed, whole.totals.charged, await spent()], [{}, 24, 24]);
    for (const { coverage } of lines()) assert.deepEqual([coverage?.given, coverage?.ended], [4, 'unknown']);
    torn.add('a-2');
    const undisturbed = text();
    await run(input, { ...wanted, mode: 'overwrite' });
    torn.clear();
    await again();
    assert.equal(text(), undisturbed);
  });

  for (const [how, lives] of [
    ['goes on by its cursor, and nothing is asked again', true],
    ['is read from its beginning once its cursor has expired, and not charged again', false],
  ] as const) {
    test(`of a run that is stopped stays pending: it ${how}`, async () => {
      await run(input, wanted);
      const undisturbed = text();
      await (await client.cache()).clear();
      const before = await spent();
      torn.add('b-3');
      fault = 'platform_blocked';
      const onRefusal = 'stop' as const;
      const ended = await run(input, { ...wanted, mode: 'overwrite', options: { onRefusal } });
      assert.equal(codeOf(ended), 'platform_blocked');
      torn.clear();
      const read = asked.slice(12).filter((page) => page !== 'b-3');
      assert.ok(read.includes('b-2'));
      const { checkpoint } = batchPaths(output);
      const kept = readFileSync(checkpoint, 'utf8');
      if (!lives) writeFileSync(checkpoint, kept.replaceAll('"next_cursor":"', '"next_cursor":"x'));
      const resumed = await again({ mode: 'resume' });
      assert.deepEqual([resumed.error, text(), (await spent()) - before], [null, undisturbed, 24]);
      const isRepeated = asked.some((page) => read.includes(page));
      assert.equal(isRepeated, !lives);
      assert.equal(/^\w+ unfinished lists? .* read again/.test(failed.rereadText()), !lives);
    });
  }

  test('has its lines for each item, in order, and one for the reason', async () => {
    torn.add('b-3');
    await run(input, { ...wanted, flatten: true });
    const items = lines().map(({ data, error }) => data?.name ?? error?.code);
    assert.deepEqual(items, [
      ...['a-1', 'a-2', 'a-3', 'a-4', 'b-1', 'b-2', 'platform_unavailable'],
      ...['c-1', 'c-2', 'c-3', 'c-4'],
    ]);
    // The last item that came says how much of the list it is.
    const shares = lines().flatMap(({ data, coverage }) =>
      coverage ? [[data?.name, coverage.given, coverage.ended]] : [],
    );
    assert.deepEqual(shares, [
      ['a-4', 4, 'unknown'],
      ['b-2', 2, 'refused'],
      ['c-4', 4, 'unknown'],
    ]);
    torn.clear();
    await again({ flatten: true });
    const pages = [1, 2, 3, 4];
    const all = ['a', 'b', 'c'].flatMap((name) => pages.map((page) => `${name}-${page}`));
    assert.deepEqual(names(), all);
  });

  test('counts its cost against a limit', async () => {
    torn.add('b-3');
    await run(input, wanted);
    torn.clear();
    const poor = await again({ options: { limitCredits: 22, concurrency: 1 } });
    assert.equal(codeOf(poor), 'insufficient_credits');
    const enough = await run(input, { ...wanted, mode: 'resume', options: { limitCredits: 24 } });
    assert.deepEqual([enough.error, enough.totals.charged, await spent()], [null, 24, 24]);
  });

  test('does not change once its cursor has expired, and reports it', async () => {
    torn.add('b-3');
    await run(input, wanted);
    const { checkpoint } = batchPaths(output);
    const expired = readFileSync(checkpoint, 'utf8').replace(/"cursor":"[^"]*"/, '"cursor":"gone"');
    writeFileSync(checkpoint, expired);
    torn.clear();
    const ended = await again();
    const [, second]: { data: unknown[]; error: { code: string; message: string } }[] = ndjsonValues(text());
    assert.equal(second?.data.length, 2);
    assert.equal(second?.error.code, 'invalid_cursor');
    assert.match(second?.error.message ?? '', /a new batch reads the list from its beginning/);
    assert.deepEqual([ended.totals.charged, await spent(), asked], [20, 20, []]);
  });
});

describe('the failed inputs of a batch', () => {
  const forty = many(40);

  test('are retried, and the file is rewritten in order', async () => {
    for (const name of ['name0', 'name11', 'name12', 'name39']) missing.add(name);
    const input = inputOf(forty);
    await run(input);
    const before = lines();
    assert.equal(before.filter(({ error }) => error !== undefined).length, 4);
    missing.delete('name11');
    missing.delete('name39');
    const money = await spent();
    const ended = await run(input, { mode: 'retry' });
    missing.clear();
    assert.equal(ended.finished, true);
    assert.deepEqual(ended.totals.failed, { place_not_found: 2 });
    assert.deepEqual([ended.totals.ok, ended.totals.charged], [38, 38 * 3]);
    assert.equal(await spent(), money + 6);
    const rows = lines().map(({ input: { name }, error }) => [name, error?.code]);
    const codes: Record<string, string> = { name0: 'place_not_found', name12: 'place_not_found' };
    const expected = forty.map((name) => [name, codes[name]]);
    assert.deepEqual(rows, expected);
    assert.equal(existsSync(batchPaths(output).retried), false);
    const last = await run(input, { mode: 'retry' });
    assert.deepEqual([last.totals.ok, last.totals.failed], [40, {}]);
    assert.equal(text(), ndjsonText(lines()));
  });

  test('once retried leave nothing for --resume to do, whatever follows the last of them', async () => {
    for (const name of ['name1', 'name4']) missing.add(name);
    const input = inputOf(many(10));
    await run(input);
    missing.delete('name1');
    for (const _ of ['some', 'none']) {
      const retried = await run(input, { mode: 'retry' });
      assert.equal(retried.totals.inputs, 10);
      const [before, money] = [text(), await spent()];
      const resumed = await run(input, { mode: 'resume' });
      assert.deepEqual([resumed.finished, resumed.error], [true, null]);
      const { inputs, ok, failed, charged } = resumed.totals;
      assert.deepEqual({ ...retried.totals, inputs, ok, failed, charged }, retried.totals);
      assert.deepEqual([text(), await spent()], [before, money]);
      missing.clear();
    }
    assert.equal((await run(inputOf(many(12)), { mode: 'resume' })).finished, true);
    assert.deepEqual(names(), many(12));
  });

  test('may be mended in the input before, and --resume finds nothing to do', async () => {
    const mended = '{"name":"a"}\n{"name":"b"}\n{"name":"c"}\n';
    await run('{"name":"a"}\n{"nam\n{"name":"c"}\n');
    await run(mended, { mode: 'retry' });
    assert.deepEqual(names(), ['a', 'b', 'c']);
    const before = text();
    const resumed = await run(mended, { mode: 'resume' });
    assert.deepEqual([resumed.finished, resumed.error], [true, null]);
    assert.equal(text(), before);
  });

  test('that were lists become a line for each item', async () => {
    const things = thingsEndpoint(async ({ name }) => {
      if (missing.has(name)) throw new ExtractError('place_not_found');
      return { data: [{ name: `${name}-a` }, { name: `${name}-b` }], ids: [`${name}-a`, `${name}-b`] };
    });
    missing.add('name1');
    const input = inputOf(many(3));
    await run(input, { endpoint: things, flatten: true });
    missing.clear();
    await run(input, { endpoint: things, flatten: true, mode: 'retry' });
    assert.deepEqual(names(), ['name0-a', 'name0-b', 'name1-a', 'name1-b', 'name2-a', 'name2-b']);
  });

  test('an interrupted retry leaves the old output unchanged, and resumes', async () => {
    for (const name of forty) missing.add(name);
    missing.delete('name3');
    const input = inputOf(forty);
    await run(input);
    const old = text();
    missing.clear();
    const ended = await stoppedAt(20, input, { mode: 'retry' });
    assert.equal(ended.finished, false);
    assert.equal(text(), old);
    await assert.rejects(run(input), { message: /not finished/ });
    const last = await run(input, { mode: 'resume' });
    assert.deepEqual([last.finished, last.totals.ok], [true, 40]);
    assert.deepEqual(names(), forty);
    assert.equal(await spent(), 120);
  });

  test('a run over them that was killed while it was put in place is put there the next time', async () => {
    missing.add('name1');
    const input = inputOf(many(3));
    await run(input);
    missing.clear();
    const { retried, retriedCheckpoint, checkpoint } = batchPaths(output);
    const done = readFileSync(checkpoint, 'utf8');
    const better = inputOf(many(3));
    writeFileSync(retried, better);
    const last = JSON.parse(done.trim().split('\n')[1] ?? '');
    const entry = { ...last, ok: 3, failed: {}, bad: [], bytes: Buffer.byteLength(better), done: true };
    writeFileSync(retriedCheckpoint, `${done.split('\n')[0]}\n${JSON.stringify(entry)}\n`);
    const ended = await run(input, { mode: 'resume' });
    assert.equal(ended.totals.ok, 3);
    assert.equal(readFileSync(output, 'utf8'), better);
    assert.equal(existsSync(retriedCheckpoint), false);
  });

  test('are not run before the batch is finished', async () => {
    await stoppedAt(10, inputOf(many(30)));
    await assert.rejects(run(inputOf(many(30)), { mode: 'retry' }), { message: /use --resume before/ });
  });

  test('an input that ends before them is refused, and the old output stays', async () => {
    missing.add('name30');
    await run(inputOf(forty));
    missing.clear();
    const old = text();
    const ended = await run(inputOf(many(10)), { mode: 'retry' });
    assert.match(String(ended.error), /ends before input 31/);
    assert.equal(text(), old);
  });
});

/** The same numbers each time. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1103515245 + 12345) % 2 ** 31;
    return state / 2 ** 31;
  };
}

describe('whatever the order of --resume and --retry-failed', () => {
  for (let seed = 1; seed <= 12; seed += 1) {
    test(`each input has one line, in order, and is charged once (${seed})`, async () => {
      const random = seeded(seed);
      const each = many(8 + Math.floor(random() * 24));
      const input = inputOf(each);
      for (const name of each) if (random() < 0.4) missing.add(name);
      await stoppedAt(1 + Math.floor(random() * each.length), input);
      for (let step = 0; step < 10; step += 1) {
        for (const name of each) if (random() < 0.2) missing.delete(name);
        const mode = random() < 0.5 ? 'resume' : 'retry';
        const count = 1 + Math.floor(random() * each.length * 1.5);
        // A retry is refused as long as the batch is not finished.
        await stoppedAt(count, input, { mode }).catch((error: ExtractError) =>
          assert.match(error.message, /use --resume before/),
        );
      }
      missing.clear();
      for (const mode of ['resume', 'retry', 'resume'] as const) {
        const ended = await run(input, { mode });
        assert.deepEqual([ended.finished, ended.error], [true, null]);
        const written = lines().map((line) => line.input.name);
        assert.deepEqual(written, each);
      }
      assert.deepEqual(names(), each);
      assert.equal(await spent(), each.length * 3);
    });
  }
});

describe('a batch into a stream', () => {
  type Write = (text: string) => Promise<void>;
  const streamed = (input: string, write: Write) =>
    runToSink(runOf(inputs(input), { concurrency: 4 }), streamSink(streamOutput(write)));

  /** Stops at the third result, and interrupts it and the following ones. */
  const interrupted = (write: Write) => {
    const stop = new AbortController();
    let begun = 0;
    const steps = {
      async ahead() {
        begun += 1;
        if (begun === 3) stop.abort();
        await nextTurn();
        return stop.signal.aborted ? ('interrupted' as const) : ('done' as const);
      },
      apply: async (line: InputResult) => line,
    };
    const plan = runOf(inputs(inputOf(many(100))), { concurrency: 4, stop: stop.signal });
    return runToSink({ ...plan, steps }, streamSink(streamOutput(write)));
  };

  test('that is interrupted while it processes results writes the paid ones', async () => {
    let output = '';
    const ended = await interrupted(async (part) => {
      output += part;
    });
    assert.equal(ended.finished, false);
    const written = output.trim().split('\n').length;
    assert.ok(written >= 3 && written < 100, `${written} lines`);
    assert.equal(await spent(), written * 3);
  });

  test('that cannot be written refunds the results processed ahead', async () => {
    const ended = await interrupted(async () => {
      throw new Error('EPIPE');
    });
    assert.notEqual(ended.error, null);
    // The result whose line met the fault, and those that the writer had joined with it.
    assert.ok((await spent()) <= ended.totals.charged + 3, `${await spent()} credits`);
  });

  test('writes the lines as they become final', async () => {
    let output = '';
    const ended = await streamed(inputOf(many(50)), async (part) => {
      output += part;
    });
    assert.equal(ended.finished, true);
    assert.equal(output.trim().split('\n').length, 50);
  });

  test('ends with the reader, and refunds results that are not read', async () => {
    let reads = 0;
    const ended = await streamed(inputOf(many(5000)), async () => {
      reads += 1;
      if (reads > 2) throw Object.assign(new Error('write EPIPE'), { code: 'EPIPE' });
    });
    assert.equal((ended.error as NodeJS.ErrnoException).code, 'EPIPE');
    assert.equal(ended.finished, false);
    assert.equal(await spent(), ended.totals.charged);
    assert.ok(ended.totals.inputs < 2000, `${ended.totals.inputs}`);
  });

  test('is not read ahead of a reader that is slow', async () => {
    let taken = 0;
    async function* endless() {
      for (;;) {
        taken += 1;
        yield Buffer.from(`{"name":"${'n'.repeat(500)}${taken}"}\n`);
        if (taken === 20_000) return;
      }
    }
    let release = () => {};
    const blocked = new Promise<void>((resolve) => {
      release = resolve;
    });
    const stop = new AbortController();
    const endlessInputs = readInputs(endless(), { format: 'ndjson', endpoint: thing, nameOf: () => 'name' });
    const plan = runOf(endlessInputs, { concurrency: 8, stop: stop.signal });
    const running = runToSink(plan, streamSink(streamOutput(() => blocked)));
    let before = -1;
    for (let same = 0; same < 200; ) {
      await new Promise((resolve) => setImmediate(resolve));
      same = taken === before ? same + 1 : 0;
      before = taken;
    }
    assert.ok(taken < 2500, `${taken} inputs were taken for a reader that reads nothing`);
    stop.abort();
    release();
    await running;
  });
});
