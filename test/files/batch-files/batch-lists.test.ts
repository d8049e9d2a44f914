import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { beforeEach, describe, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import { batchPaths } from '../../../src/files/batch-files/batch-paths.js';
import type { BatchOutcome } from '../../../src/files/batch-files/batch-run.js';
import { thingsEndpoint } from '../../support/test-client.js';
import { batchRuns, codeOf, inputOf, type Wanted } from './batch-runs.js';

const runs = batchRuns();
const { run, text, lines, names, spent } = runs;

describe('a limit of a batch over whole lists that was killed', () => {
  const pageCount = 5;
  let hung: Promise<never> | undefined;
  const things = thingsEndpoint(async ({ name, position }) => {
    const page = Number(position ?? 1);
    if (name === 'a' && page === 2 && hung !== undefined) await hung;
    const id = `${name}-${page}`;
    return { data: [{ name: id }], sources: [], ids: [id], next: page < pageCount ? page + 1 : null };
  });
  const input = inputOf(['a', 'b', 'c', 'd']);
  const resume = (options: Wanted['options']) =>
    run(input, { mode: 'resume', endpoint: things, all: true, ...(options && { options }) });

  /** The first input hangs after its first page until the others are read to their ends. */
  async function killed(): Promise<void> {
    const kill = new AbortController();
    hung = new Promise((_, reject) => {
      kill.signal.addEventListener('abort', () => reject(kill.signal.reason));
    });
    hung.catch(() => undefined);
    const ended = run(input, { endpoint: things, all: true, options: { signal: kill.signal } });
    const paid = async () => (await runs.client().books.usage('local', { limit: 100 })).rows.length;
    while ((await paid()) < 3 * pageCount + 1) await nextTurn();
    kill.abort(new Error('killed'));
    hung = undefined;
    assert.deepEqual([(await ended).totals.inputs, await spent()], [0, (3 * pageCount + 1) * 2]);
  }

  test('also applies to the pages of inputs that are resumed', async () => {
    await killed();
    const ended = await resume({ concurrency: 1, limitCredits: 34 });
    assert.deepEqual([codeOf(ended), await spent()], ['insufficient_credits', 34]);
    const further = await resume({ concurrency: 1, limitCredits: 40 });
    assert.deepEqual([further.error, further.totals.charged, await spent()], [null, 40, 40]);
  });

  test('is not exceeded by resumed pages', async () => {
    await killed();
    const ended = await resume({ limitCredits: 40 });
    assert.deepEqual([ended.error, ended.totals.charged, await spent()], [null, 40, 40]);
  });
});

describe('a list of which a page failed', () => {
  const torn = new Set<string>();
  let fault: 'platform_unavailable' | 'platform_blocked';
  const requests: string[] = [];
  const things = thingsEndpoint(async ({ name, position }) => {
    const page = Number(position ?? 1);
    const id = `${name}-${page}`;
    requests.push(id);
    if (torn.has(id)) throw new ExtractError(fault, 'HTTP 500.');
    return { data: [{ name: id }], ids: [id], next: page < 4 ? page + 1 : null };
  });
  const input = inputOf(['a', 'b', 'c']);
  const wanted = { endpoint: things, all: true };
  const pagesOf = (name: string, count = 4) => Array.from({ length: count }, (_, at) => `${name}-${at + 1}`);

  /** Without the cache, which would answer for what was read before. */
  async function again(over: Wanted = {}): Promise<BatchOutcome> {
    torn.clear();
    return retry(over);
  }

  async function retry(over: Wanted = {}): Promise<BatchOutcome> {
    await (await runs.client().cache()).clear();
    requests.length = 0;
    return run(input, { ...wanted, mode: 'retry', ...over });
  }

  /** What a line has of its list: names, the reason why there are no more, and how the coverage says that. */
  const listsWritten = () =>
    lines().map(({ data, error, coverage }) => [
      data?.map(({ name }) => name).join(' '),
      ...[error?.code, coverage?.given, coverage?.ended],
    ]);
  const whole = (name: string) => [pagesOf(name).join(' '), undefined, 4, 'unknown'];

  beforeEach(() => {
    torn.clear();
    torn.add('b-3');
    fault = 'platform_unavailable';
    requests.length = 0;
  });

  test('keeps earlier pages, charged, with the reason; the rest comes by its cursor, without repeating a request', async () => {
    const ended = await run(input, wanted);
    const part = (count: number) => [pagesOf('b', count).join(' '), 'platform_unavailable', count, 'refused'];
    assert.deepEqual(listsWritten(), [whole('a'), part(2), whole('c')]);
    assert.deepEqual(ended.totals.failed, { platform_unavailable: 1 });
    assert.deepEqual([ended.totals.charged, await spent()], [20, 20]);

    torn.add('b-4').delete('b-3');
    const further = await retry();
    assert.deepEqual(requests, ['b-3', 'b-4']);
    assert.deepEqual(listsWritten(), [whole('a'), part(3), whole('c')]);
    assert.deepEqual([further.totals.charged, await spent()], [22, 22]);

    const last = await again();
    assert.deepEqual(requests, ['b-4']);
    assert.deepEqual(listsWritten(), [whole('a'), whole('b'), whole('c')]);
    assert.deepEqual([last.totals.failed, last.totals.charged, await spent()], [{}, 24, 24]);
    torn.add('a-2');
    const undisturbed = text();
    await run(input, { ...wanted, mode: 'overwrite' });
    await again();
    assert.equal(text(), undisturbed);
  });

  for (const [how, lives] of [
    ['goes on by its cursor, and nothing is asked again', true],
    ['is read from its beginning once its cursor has expired, and not charged again', false],
  ] as const) {
    test(`of a run that is stopped stays pending: it ${how}`, async () => {
      torn.clear();
      await run(input, wanted);
      const undisturbed = text();
      await (await runs.client().cache()).clear();
      const before = await spent();
      torn.add('b-3');
      fault = 'platform_blocked';
      const ended = await run(input, { ...wanted, mode: 'overwrite', options: { onRefusal: 'stop' } });
      assert.equal(codeOf(ended), 'platform_blocked');
      const read = requests.slice(12).filter((page) => page !== 'b-3');
      assert.ok(read.includes('b-2'));
      const { checkpoint } = batchPaths(runs.output);
      const kept = readFileSync(checkpoint, 'utf8');
      if (!lives) writeFileSync(checkpoint, kept.replaceAll('"next_cursor":"', '"next_cursor":"x'));
      const resumed = await again({ mode: 'resume' });
      assert.deepEqual([resumed.error, text(), (await spent()) - before], [null, undisturbed, 24]);
      assert.equal(
        requests.some((page) => read.includes(page)),
        !lives,
      );
      assert.equal(/^\w+ unfinished lists? .* read again/.test(runs.failed.rereadText()), !lives);
    });
  }

  test('has its lines for each item, in order, and one for the reason', async () => {
    await run(input, { ...wanted, flatten: true });
    const items = lines().map(({ data, error, coverage }) => [
      data?.name ?? error?.code,
      ...(data && coverage ? [coverage.given, coverage.ended] : []),
    ]);
    // The last item that came says how much of the list it is.
    assert.deepEqual(items, [
      ...[['a-1'], ['a-2'], ['a-3'], ['a-4', 4, 'unknown']],
      ...[['b-1'], ['b-2', 2, 'refused'], ['platform_unavailable']],
      ...[['c-1'], ['c-2'], ['c-3'], ['c-4', 4, 'unknown']],
    ]);
    await again({ flatten: true });
    assert.deepEqual(
      names(),
      ['a', 'b', 'c'].flatMap((name) => pagesOf(name)),
    );
  });

  test('counts its cost against a limit', async () => {
    await run(input, wanted);
    const poor = await again({ options: { limitCredits: 22, concurrency: 1 } });
    assert.equal(codeOf(poor), 'insufficient_credits');
    const enough = await run(input, { ...wanted, mode: 'resume', options: { limitCredits: 24 } });
    assert.deepEqual([enough.error, enough.totals.charged, await spent()], [null, 24, 24]);
  });

  test('does not change once its cursor has expired, and reports it', async () => {
    await run(input, wanted);
    const { checkpoint } = batchPaths(runs.output);
    const expired = readFileSync(checkpoint, 'utf8').replace(/"cursor":"[^"]*"/, '"cursor":"gone"');
    writeFileSync(checkpoint, expired);
    const ended = await again();
    const [, second] = lines();
    assert.deepEqual([second?.data?.length, second?.error?.code], [2, 'invalid_cursor']);
    assert.match(second?.error?.message ?? '', /a new batch reads the list from its beginning/);
    assert.deepEqual([ended.totals.charged, await spent(), requests], [20, 20, []]);
  });
});
