import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { buffer as bytesOf, text as textOf } from 'node:stream/consumers';
import { describe, test } from 'node:test';
import { chunkBytes } from '../../../src/service/jobs/results/results-files.js';
import { RowResults, rowLines } from '../../../src/service/jobs/results/row-results.js';
import { refusal } from '../../ledger/ledger-port.js';
import { bothStores, line } from './both-stores.js';

/** Resolves when lines were added to a job by this process. */
type NextProgress = (id: string) => Promise<void>;

const day = 24 * 3_600_000;
/** Never resolves, as if another process added the lines. */
const silent: NextProgress = () => new Promise(() => undefined);
const untilEnd = new AbortController().signal;

const text = (...indexes: readonly number[]) => indexes.map((index) => line(index)).join('');
const counted = (count: number) => Array.from({ length: count }, (_, index) => index);

for (const { where, skip, open } of bothStores) {
  /** Opens stores with a job of so many inputs, some of which have ended. */
  async function opened(total: number, ended: readonly number[] = [], nextProgress = silent) {
    const { database, results, ...under } = await open();
    const owner = await under.account(3 * total);
    const id = await under.make(owner, total);
    if (ended.length > 0) await under.end(id, ended);
    const all = new RowResults({ results, jobs: under.store, nextProgress, clock: under.clock });
    return {
      ...{ ...under, stores: under, owner, id, all, source: rowLines(database, results) },
      openResults: () => all.open(owner, id),
      end: (...indexes: readonly number[]) => under.end(id, indexes),
      endAll: (lines: readonly string[]) => under.endAll(id, lines),
    };
  }

  describe(`results in rows of ${where}`, { skip }, () => {
    test('are empty and incomplete before the first line', async () => {
      const results = await (await opened(2)).openResults();
      assert.deepEqual([results.bytes, results.isComplete], [0, false]);
      assert.deepEqual([await results.offsetOf(0), await results.offsetOf(1)], [0, null]);
      assert.equal(await textOf(results.read(0, 0)), '');
      await assert.rejects(textOf(results.read(0, 1)));
    });

    test('end before the first missing line, as of their opening', async () => {
      const { openResults, end } = await opened(5, [3]);
      assert.equal((await openResults()).bytes, 0);
      await end(1, 0);
      const results = await openResults();
      const check = async () => {
        assert.deepEqual([results.bytes, results.isComplete], [Buffer.byteLength(text(0, 1)), false]);
        assert.equal(await results.offsetOf(1), Buffer.byteLength(line(0)));
        assert.deepEqual([await results.offsetOf(2), await results.offsetOf(3)], [results.bytes, null]);
        assert.equal(await textOf(results.read(0, results.bytes)), text(0, 1));
      };
      await check();
      await assert.rejects(textOf(results.read(0, results.bytes + 1)));
      await end(2, 4);
      await check();
    });

    test('list all lines in the order of the inputs', async () => {
      const { openResults, end } = await opened(7);
      for (const some of [[5, 1], [0], [6, 3], [2], [4]]) await end(...some);
      const results = await openResults();
      const content = text(...counted(7));
      assert.deepEqual([results.isComplete, results.bytes], [true, Buffer.byteLength(content)]);
      assert.equal(await textOf(results.read(0, results.bytes)), content);
      for (const index of counted(8)) {
        assert.equal(await results.offsetOf(index), Buffer.byteLength(text(...counted(index))), `${index}`);
      }
      assert.equal(await results.offsetOf(8), null);
    });

    test('can be read from any byte to any other, but not beyond the last', async () => {
      const { openResults, endAll } = await opened(700);
      // Long lines after many short ones: more than one read takes, both in lines and in bytes.
      const isLong = (index: number) => index >= 600 && index < 604;
      const lines = counted(700).map((index) => line(index, isLong(index) ? 'x'.repeat(700_000) : ''));
      await endAll(lines);
      const results = await openResults();
      const all = Buffer.from(lines.join(''));
      assert.equal(results.bytes, all.length);
      const character = all.indexOf('Ä');
      const at = (await results.offsetOf(601)) ?? 0;
      const { length } = all;
      for (const [from, to] of [
        ...[[0, length] as const, [0, 1] as const, [length - 1, length] as const, [5, 12] as const],
        ...[[character + 1, character + 2] as const, [7, 7] as const, [at, at + 1] as const],
        ...[[at - 1, at] as const, [at - 10, at + 700_100] as const, [length - 20, length - 3] as const],
        [length, length] as const,
      ]) {
        const read = await bytesOf(results.read(from, to));
        assert.ok(read.equals(all.subarray(from, to)), `${from} to ${to}`);
      }
      for (const from of [length - 1, length, length + 5]) {
        await assert.rejects(bytesOf(results.read(from, Math.max(from, length) + 1)), `from ${from}`);
      }
    });

    test('return the lines of chosen inputs in the requested order', async () => {
      const results = await (await opened(130, counted(130))).openResults();
      for (const picks of [[], [0], [129], [3, 1], [7, 7], counted(130).reverse()]) {
        assert.equal(await textOf(results.pick(picks)), text(...picks), picks.join());
      }
      await assert.rejects(textOf(results.pick([2, 130])));
    });

    test('can be followed while this process adds lines', async () => {
      const progress = new EventEmitter();
      // The clock does not advance, so only progress wakes the readers.
      const { openResults, end } = await opened(5, [0], async () => void (await once(progress, 'lines')));
      const add = async (index: number) => {
        await end(index);
        progress.emit('lines');
      };
      const lines = (await openResults()).follow(1, untilEnd);
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
      const { clock, openResults, end } = await opened(3);
      const results = await openResults();
      const [lines, later] = [results.follow(0, untilEnd), textOf(results.follow(2, untilEnd))];
      const none = textOf(results.follow(9, untilEnd));
      const first = lines.next();
      await end(0);
      assert.equal(String((await clock.passing(first)).value), line(0));
      const rest = textOf(lines);
      await end(2);
      await end(1);
      assert.equal(await clock.passing(rest), text(1, 2));
      assert.deepEqual([await clock.passing(later), await clock.passing(none)], [line(2), '']);
    });

    test('can be followed without waiting when they are complete', async () => {
      const results = await (await opened(3, [0, 1, 2])).openResults();
      const followed = [0, 2, 3, 9].map((from) => textOf(results.follow(from, untilEnd)));
      assert.deepEqual(await Promise.all(followed), [text(0, 1, 2), line(2), '', '']);
    });

    test('can be followed until the signal aborts, for its reason', async () => {
      const results = await (await opened(2, [0])).openResults();
      const leave = new AbortController();
      const lines = results.follow(0, leave.signal);
      assert.equal(String((await lines.next()).value), line(0));
      const next = assert.rejects(lines.next(), /enough/);
      leave.abort(new Error('enough'));
      await next;
      await assert.rejects(results.follow(0, leave.signal).next(), /enough/);
    });

    test('include the lines of cancelled inputs for followers', async () => {
      const { clock, owner, id, store, openResults, finishCancelled } = await opened(4, [0, 2]);
      await store.cancel(owner, id);
      const results = await openResults();
      assert.equal(results.isComplete, false);
      const lines = results.follow(0, untilEnd);
      assert.equal(String((await lines.next()).value), line(0));
      const rest = textOf(lines);
      await finishCancelled(id);
      const [one = '', two, three = '', ...none] = (await clock.passing(rest)).split(/(?<=\n)/);
      assert.deepEqual([two, none], [line(2), []]);
      const cancelled = [one, three].map((ended) => JSON.parse(ended));
      assert.deepEqual(
        cancelled.map(({ input, error }) => `${input.n} ${error.code}`),
        ['1 job_cancelled', '3 job_cancelled'],
      );
      assert.equal((await openResults()).isComplete, true);
    });

    test('are not found for an unknown job or another account', async () => {
      const { owner, id, all, account } = await opened(1, [0]);
      await assert.rejects(all.open(await account(1), id), refusal('job_not_found'));
      await assert.rejects(all.open(owner, 'job_none'), refusal('job_not_found'));
    });

    test('are not found after the account was deleted, also for followers', async () => {
      const under = await opened(2, [0]);
      const { owner, id, make, account, source, clock } = under;
      const ended = await make(await account(3), 1);
      await under.stores.end(ended, [0]);
      const lines = (await under.openResults()).follow(0, untilEnd);
      assert.equal(String((await lines.next()).value), line(0));
      const next = assert.rejects(lines.next(), refusal('job_not_found'));
      await under.deleteAccount(owner);
      await clock.passing(next);
      await assert.rejects(under.openResults(), refusal('job_not_found'));
      assert.deepEqual([await source.isKept(id), await source.isKept(ended)], [false, true]);
    });

    test('expire seven days after the end, deleted or not', async () => {
      const { clock, openResults, sweep } = await opened(1, [0]);
      await clock.advance(7 * day - 1);
      const results = await openResults();
      assert.equal(await textOf(results.read(0, results.bytes)), line(0));
      await clock.advance(1);
      await assert.rejects(openResults(), refusal('results_expired'));
      await assert.rejects(results.follow(0, untilEnd).next(), refusal('results_expired'));
      await sweep();
      await assert.rejects(openResults(), refusal('results_expired'));
    });

    test('deleted during a read arrive complete or end with a fault', async () => {
      const { clock, openResults, endAll, sweep } = await opened(4);
      const lines = counted(4).map((index) => line(index, 'x'.repeat(700_000)));
      await endAll(lines);
      const results = await openResults();
      const reading = results.read(0, results.bytes);
      const first = (await reading.next()).value ?? Buffer.alloc(0);
      assert.ok(first.length > 0 && first.length < results.bytes);
      await clock.advance(7 * day);
      await sweep();
      const rest = await bytesOf(reading).catch((fault: unknown) => fault);
      if (rest instanceof Buffer) assert.equal(`${first}${rest}`, lines.join(''));
      else assert.ok(rest instanceof Error);
    });

    test("reject with the port's faults when the driver fails", async () => {
      const { clock, openResults, breakDriver } = await opened(2, [0]);
      const lines = (await openResults()).follow(0, untilEnd);
      assert.equal(String((await lines.next()).value), line(0));
      await breakDriver();
      await assert.rejects(openResults(), refusal('internal_error'));
      await clock.passing(assert.rejects(lines.next(), refusal('internal_error')));
    });
  });

  describe(`the lines of finished jobs in rows of ${where}`, { skip }, () => {
    test('are given completely, in small pieces', async () => {
      const { id, endAll, source } = await opened(40);
      const lines = counted(40).map((index) => line(index, 'x'.repeat(index === 7 ? 200_000 : 2_000)));
      await endAll(lines);
      const pieces: Buffer[] = [];
      for await (const piece of source.read(id)) pieces.push(piece);
      assert.ok(pieces.every(({ length }) => length > 0 && length <= chunkBytes));
      assert.equal(Buffer.concat(pieces).toString(), lines.join(''));
    });

    test('are kept for seven days, and then rejected', async () => {
      const { id, source, clock, sweep } = await opened(1, [0]);
      const areKept = () => Promise.all([source.isKept(id), source.isKept('job_none')]);
      await clock.advance(7 * day - 1);
      await sweep();
      assert.deepEqual(await areKept(), [true, false]);
      await clock.advance(1);
      await sweep();
      assert.deepEqual(await areKept(), [false, false]);
      for (const gone of [id, 'job_none']) await assert.rejects(textOf(source.read(gone)));
    });
  });
}
