import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { test } from 'node:test';
import type { JobResults } from '../../../src/service/jobs/results/job-results.js';
import { chunkBytes, type LinesSource } from '../../../src/service/jobs/results/results-files.js';
import type { StoredJobs } from '../../../src/service/jobs/stored-jobs.js';
import { refusal } from '../../ledger/ledger-port.js';
import type { FakeClock } from '../../support/fake-clock.js';
import type { FundedAccounts } from './job-store-port.js';

/** Lines by the index of their input, each with its line feed. */
export type LinesByIndex = ReadonlyMap<number, string>;

export interface ResultsUnderTest extends Pick<FundedAccounts, 'account'> {
  readonly results: JobResults;
  readonly source: LinesSource;
  readonly store: StoredJobs;
  readonly clock: FakeClock;
  /** Ends inputs with these lines, all in one call. */
  end(id: string, lines: LinesByIndex): Promise<void>;
  /** Writes the lines of a cancelled job that are missing. */
  finishCancelled(id: string): Promise<void>;
  /** Deletes the results that are old enough. */
  sweep(): Promise<void>;
  /** Deletes an account with its jobs. */
  deleteAccount(account: string): Promise<void>;
  /** Makes the store fail below the port. */
  breakDriver(): void | Promise<void>;
}

/** Resolves when lines were added to a job by this process. */
export type NextProgress = (id: string) => Promise<void>;

const day = 24 * 3_600_000;
/** Never resolves, as if another process added the lines. */
const silent: NextProgress = () => new Promise(() => undefined);
const untilEnd = new AbortController().signal;

/** A line whose characters are of more bytes than one. */
export const line = (index: number, more = '') => `{"input":{"n":${index}},"data":"Ä${more}"}\n`;
const linesOf = (...indexes: readonly number[]): LinesByIndex =>
  new Map(indexes.map((index) => [index, line(index)]));
const text = (...indexes: readonly number[]) => indexes.map((index) => line(index)).join('');
const counted = (count: number) => Array.from({ length: count }, (_, index) => index);

async function bytesOf(chunks: AsyncIterable<Buffer>): Promise<Buffer> {
  const all: Buffer[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return Buffer.concat(all);
}

const textOf = async (chunks: AsyncIterable<Buffer>) => (await bytesOf(chunks)).toString();

/** Makes a job of so many inputs. */
async function makeResultsJob(store: StoredJobs, account: string, total: number): Promise<string> {
  const { id } = await store.create(
    {
      ...{ account, key: undefined, endpoint: 'maps/place', credits: 3 },
      ...{ inputs: counted(total).map((index) => `{"n":${index}}`) },
      ...{ webhookUrl: undefined, idempotency: undefined },
    },
    () => '',
  );
  return id;
}

/** A job of so many inputs over an opened store, and the account that it is of. */
async function makeResults(under: ResultsUnderTest, total: number) {
  const owner = await under.account(3 * total);
  return { owner, id: await makeResultsJob(under.store, owner, total) };
}

/** Tests of reading results that every store of job results must pass. */
export function resultsSuite(open: (nextProgress: NextProgress) => Promise<ResultsUnderTest>): void {
  /** Opens stores with a job of so many inputs, some of which have ended, and its results. */
  async function opened(total: number, lines?: LinesByIndex) {
    const under = await open(silent);
    const { owner, id } = await makeResults(under, total);
    if (lines !== undefined) await under.end(id, lines);
    return { under, clock: under.clock, owner, id, results: await under.results.open(owner, id) };
  }

  test('are empty and incomplete before the first line', async () => {
    const { results } = await opened(2);
    assert.deepEqual([results.bytes, results.isComplete], [0, false]);
    assert.deepEqual([await results.offsetOf(0), await results.offsetOf(1)], [0, null]);
    assert.equal(await textOf(results.read(0, 0)), '');
    await assert.rejects(textOf(results.read(0, 1)));
  });

  test('end before the first missing line, as of their opening', async () => {
    const { owner, id, under } = await opened(5, linesOf(3));
    assert.equal((await under.results.open(owner, id)).bytes, 0);
    await under.end(id, linesOf(1, 0));
    const results = await under.results.open(owner, id);
    const check = async () => {
      assert.deepEqual([results.bytes, results.isComplete], [Buffer.byteLength(text(0, 1)), false]);
      assert.equal(await results.offsetOf(1), Buffer.byteLength(line(0)));
      assert.deepEqual([await results.offsetOf(2), await results.offsetOf(3)], [results.bytes, null]);
      assert.equal(await textOf(results.read(0, results.bytes)), text(0, 1));
    };
    await check();
    await assert.rejects(textOf(results.read(0, results.bytes + 1)));
    await under.end(id, linesOf(2, 4));
    await check();
  });

  test('list all lines in the order of the inputs', async () => {
    const { owner, id, under } = await opened(7);
    for (const some of [[5, 1], [0], [6, 3], [2], [4]]) await under.end(id, linesOf(...some));
    const results = await under.results.open(owner, id);
    const content = text(...counted(7));
    assert.deepEqual([results.isComplete, results.bytes], [true, Buffer.byteLength(content)]);
    assert.equal(await textOf(results.read(0, results.bytes)), content);
    for (const index of counted(8)) {
      assert.equal(await results.offsetOf(index), Buffer.byteLength(text(...counted(index))), `${index}`);
    }
    assert.equal(await results.offsetOf(8), null);
  });

  test('can be read from any byte to any other, but not beyond the last', async () => {
    const { owner, id, under } = await opened(700);
    // Long lines after many short ones: more than one read takes, both in lines and in bytes.
    const isLong = (index: number) => index >= 600 && index < 604;
    const lines = counted(700).map((index) => line(index, isLong(index) ? 'x'.repeat(700_000) : ''));
    await under.end(id, new Map(lines.entries()));
    const results = await under.results.open(owner, id);
    const all = Buffer.from(lines.join(''));
    assert.equal(results.bytes, all.length);
    const character = all.indexOf('Ä');
    const at = (await results.offsetOf(601)) ?? 0;
    for (const [from, to] of [
      ...[[0, all.length] as const, [0, 1] as const, [all.length - 1, all.length] as const],
      ...[[5, 12] as const, [character + 1, character + 2] as const, [7, 7] as const],
      ...[[at, at + 1] as const, [at - 1, at] as const, [at - 10, at + 700_100] as const],
      ...[[all.length - 20, all.length - 3] as const, [all.length, all.length] as const],
    ]) {
      const read = await bytesOf(results.read(from, to));
      assert.ok(read.equals(all.subarray(from, to)), `${from} to ${to}`);
    }
    for (const [from, to] of [
      [all.length - 1, all.length + 1],
      [all.length, all.length + 1],
      [all.length + 5, all.length + 9],
    ] as const) {
      await assert.rejects(bytesOf(results.read(from, to)), `${from} to ${to}`);
    }
  });

  test('return the lines of chosen inputs in the requested order', async () => {
    const { results } = await opened(130, linesOf(...counted(130)));
    for (const picks of [[], [0], [129], [3, 1], [7, 7], counted(130).reverse()]) {
      assert.equal(await textOf(results.pick(picks)), text(...picks), picks.join());
    }
    await assert.rejects(textOf(results.pick([2, 130])));
  });

  test('can be followed while this process adds lines', async () => {
    const progress = new EventEmitter();
    // The clock does not advance, so only progress wakes the readers.
    const under = await open(async () => void (await once(progress, 'lines')));
    const { owner, id } = await makeResults(under, 5);
    const add = async (...indexes: readonly number[]) => {
      await under.end(id, linesOf(...indexes));
      progress.emit('lines');
    };
    await under.end(id, linesOf(0));
    const results = await under.results.open(owner, id);
    const lines = results.follow(1, untilEnd);
    const first = lines.next();
    await add(3);
    await add(1);
    assert.equal(String((await first).value), line(1));
    const second = lines.next();
    await add(2);
    assert.equal(String((await second).value), text(2, 3));
    const rest = textOf(lines);
    await add(4);
    assert.equal(await rest, line(4));
  });

  test('can be followed while another process adds lines', async () => {
    const { clock, id, under, results } = await opened(3);
    const [lines, later] = [results.follow(0, untilEnd), textOf(results.follow(2, untilEnd))];
    const none = textOf(results.follow(9, untilEnd));
    const first = lines.next();
    await under.end(id, linesOf(0));
    assert.equal(String((await clock.passing(first)).value), line(0));
    const rest = textOf(lines);
    await under.end(id, linesOf(2));
    await under.end(id, linesOf(1));
    assert.equal(await clock.passing(rest), text(1, 2));
    assert.equal(await clock.passing(later), line(2));
    assert.equal(await clock.passing(none), '');
  });

  test('can be followed without waiting when they are complete', async () => {
    const { results } = await opened(3, linesOf(0, 1, 2));
    for (const [from, wanted] of [
      [0, text(0, 1, 2)],
      [2, line(2)],
      [3, ''],
      [9, ''],
    ] as const) {
      assert.equal(await textOf(results.follow(from, untilEnd)), wanted, `${from}`);
    }
  });

  test('can be followed until the signal aborts, for its reason', async () => {
    const { results } = await opened(2, linesOf(0));
    const leave = new AbortController();
    const lines = results.follow(0, leave.signal);
    assert.equal(String((await lines.next()).value), line(0));
    const next = assert.rejects(lines.next(), /enough/);
    leave.abort(new Error('enough'));
    await next;
    await assert.rejects(results.follow(0, leave.signal).next(), /enough/);
  });

  test('include the lines of cancelled inputs for followers', async () => {
    const { clock, owner, id, under } = await opened(4, linesOf(0, 2));
    await under.store.cancel(owner, id);
    const results = await under.results.open(owner, id);
    assert.equal(results.isComplete, false);
    const lines = results.follow(0, untilEnd);
    assert.equal(String((await lines.next()).value), line(0));
    const rest = textOf(lines);
    await under.finishCancelled(id);
    const [one = '', two, three = '', ...none] = (await clock.passing(rest)).split(/(?<=\n)/);
    assert.deepEqual([two, none], [line(2), []]);
    const cancelled = [one, three].map((ended) => JSON.parse(ended));
    const endings = cancelled.map(({ input, error }) => [input.n, error.code]);
    assert.deepEqual(endings, [
      [1, 'job_cancelled'],
      [3, 'job_cancelled'],
    ]);
    const complete = await under.results.open(owner, id);
    assert.equal(complete.isComplete, true);
  });

  test('are not found for an unknown job or another account', async () => {
    const { owner, id, under } = await opened(1, linesOf(0));
    await assert.rejects(under.results.open(await under.account(1), id), refusal('job_not_found'));
    await assert.rejects(under.results.open(owner, 'job_none'), refusal('job_not_found'));
  });

  test('are not found after the account was deleted, also for followers', async () => {
    const { owner, id, under } = await opened(2);
    const ended = await makeResultsJob(under.store, await under.account(3), 1);
    await under.end(ended, linesOf(0));
    await under.end(id, linesOf(0));
    const results = await under.results.open(owner, id);
    const lines = results.follow(0, untilEnd);
    assert.equal(String((await lines.next()).value), line(0));
    const next = assert.rejects(lines.next(), refusal('job_not_found'));
    await under.deleteAccount(owner);
    await under.clock.passing(next);
    await assert.rejects(under.results.open(owner, id), refusal('job_not_found'));
    assert.deepEqual([await under.source.isKept(id), await under.source.isKept(ended)], [false, true]);
  });

  test('expire seven days after the end, deleted or not', async () => {
    const { clock, owner, id, under } = await opened(1, linesOf(0));
    await clock.advance(7 * day - 1);
    const results = await under.results.open(owner, id);
    assert.equal(await textOf(results.read(0, results.bytes)), line(0));
    await clock.advance(1);
    await assert.rejects(under.results.open(owner, id), refusal('results_expired'));
    await assert.rejects(results.follow(0, untilEnd).next(), refusal('results_expired'));
    await under.sweep();
    await assert.rejects(under.results.open(owner, id), refusal('results_expired'));
  });

  test('deleted during a read arrive complete or end with a fault', async () => {
    const { owner, id, under } = await opened(4);
    const lines = counted(4).map((index) => line(index, 'x'.repeat(700_000)));
    await under.end(id, new Map(lines.entries()));
    const results = await under.results.open(owner, id);
    const reading = results.read(0, results.bytes);
    const first = (await reading.next()).value ?? Buffer.alloc(0);
    assert.ok(first.length > 0 && first.length < results.bytes);
    await under.clock.advance(7 * day);
    await under.sweep();
    const rest = await bytesOf(reading).catch((fault: unknown) => fault);
    const isWhole =
      rest instanceof Buffer && Buffer.concat([first, rest]).equals(Buffer.from(lines.join('')));
    assert.ok(isWhole || rest instanceof Error);
  });

  test("reject with the port's faults when the driver fails", async () => {
    const { owner, id, under, results } = await opened(2, linesOf(0));
    const lines = results.follow(0, untilEnd);
    assert.equal(String((await lines.next()).value), line(0));
    await under.breakDriver();
    await assert.rejects(under.results.open(owner, id), refusal('internal_error'));
    await under.clock.passing(assert.rejects(lines.next(), refusal('internal_error')));
  });
}

/** What all sources of the lines of finished jobs promise to who makes files of them. */
export function linesSourceSuite(open: (nextProgress: NextProgress) => Promise<ResultsUnderTest>): void {
  test('gives all lines of a finished job, in small pieces', async () => {
    const under = await open(silent);
    const { id } = await makeResults(under, 40);
    const lines = counted(40).map((index) => line(index, 'x'.repeat(index === 7 ? 200_000 : 2_000)));
    await under.end(id, new Map(lines.entries()));
    const pieces: Buffer[] = [];
    for await (const piece of under.source.read(id)) pieces.push(piece);
    assert.ok(pieces.every(({ length }) => length > 0 && length <= chunkBytes));
    assert.equal(Buffer.concat(pieces).toString(), lines.join(''));
  });

  test('rejects after the lines were deleted', async () => {
    const under = await open(silent);
    const { id } = await makeResults(under, 1);
    await under.end(id, linesOf(0));
    await under.clock.advance(7 * day - 1);
    await under.sweep();
    assert.deepEqual([await under.source.isKept(id), await under.source.isKept('job_none')], [true, false]);
    await under.clock.advance(1);
    await under.sweep();
    assert.equal(await under.source.isKept(id), false);
    await assert.rejects(textOf(under.source.read(id)));
    await assert.rejects(textOf(under.source.read('job_none')));
  });
}
