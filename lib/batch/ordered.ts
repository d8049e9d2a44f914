import { setImmediate as nextTurn } from 'node:timers/promises';
import pLimit from 'p-limit';
import { CallAbort, type CallSignal } from '../runtime/abort.js';
import { Notifier } from './notifier.js';

/** The error of work that had not started when its batch closed. */
export const notStarted = new Error('not begun');

export interface OrderedOptions<Result> {
  readonly concurrency: number;
  /** Maximum inputs read but not yielded: how far the others may advance past a stuck one. */
  readonly window: number;
  /** The weight of a result that waits for earlier ones. Above `maxWaiting` no further input is read. */
  weigh(result: Result): number;
  readonly maxWaiting: number;
  /** Once aborted, nothing new starts: work in progress is finished and yielded, then the results end. */
  readonly stop: CallSignal;
  /** The consumer has left; cancels work in progress. */
  abandon(): void;
  /** Called for each finished result that was not yielded, because an earlier input failed or the consumer left. */
  discard(result: Result): Promise<void>;
}

type SettledInput<Result> =
  | { readonly how: 'done'; readonly result: Result; readonly weight: number }
  | { readonly how: 'failed'; readonly error: unknown }
  | { readonly how: 'not begun' };

/**
 * Processes inputs concurrently and yields the results in input order. A bounded window limits memory; an input that
 * hangs delays the others only at the window's end. When work rejects, nothing new starts (`closing` is aborted for
 * inputs that have not started). Work in progress is finished, the results before the failure are yielded, and then its
 * error is thrown.
 */
export async function* resultsInOrder<Input, Result>(
  inputs: AsyncIterable<Input>,
  work: (input: Input, closing: CallSignal) => Promise<Result>,
  options: OrderedOptions<Result>,
): AsyncGenerator<Result, void, undefined> {
  const { concurrency, window, maxWaiting, stop } = options;
  const limit = pLimit({ concurrency, rejectOnClear: true });
  const queue: Promise<SettledInput<Result>>[] = [];
  const arrived = new Notifier();
  const room = new Notifier();
  const closing = new CallAbort();
  let takenCount = 0;
  let waiting = 0;
  let isAtEnd = false;

  const close = () => {
    if (closing.aborted) return;
    closing.abort(notStarted);
    limit.clearQueue();
    arrived.notify();
    room.notify();
  };
  const closed = () => closing.aborted;

  // Close before other work takes the free slot.
  const workUntilClosed = async (input: Input): Promise<Result> => {
    if (closed()) throw notStarted;
    try {
      return await work(input, closing);
    } catch (error) {
      close();
      throw error;
    }
  };

  const settle = async (input: Input): Promise<SettledInput<Result>> => {
    let hasStarted = false;
    try {
      const result = await limit(() => {
        hasStarted = true;
        return workUntilClosed(input);
      });
      const weight = options.weigh(result);
      waiting += weight;
      return { how: 'done', result, weight };
    } catch (error) {
      return !hasStarted || error === notStarted ? { how: 'not begun' } : { how: 'failed', error };
    } finally {
      room.notify();
    }
  };

  // Inputs are read slightly ahead, so that no slot waits for one.
  const full = () => queue.length >= window || waiting >= maxWaiting || limit.pendingCount > 0;

  const take = async () => {
    const iterator = inputs[Symbol.asyncIterator]();
    try {
      for (;;) {
        while (!closed() && full()) await room.next();
        takenCount += 1;
        // Samples and cached answers arrive synchronously. Without this, the event loop could neither draw nor be
        // interrupted.
        if (takenCount % concurrency === 0) await nextTurn();
        if (closed()) return;
        const next = await iterator.next();
        if (next.done === true || closed()) return;
        queue.push(settle(next.value));
        arrived.notify();
      }
    } catch (error) {
      if (!closed()) queue.push(Promise.resolve({ how: 'failed', error }));
    } finally {
      isAtEnd = true;
      arrived.notify();
      // Not awaited: an input that is still being read may never arrive.
      Promise.resolve(iterator.return?.()).catch(() => undefined);
    }
  };

  stop.addEventListener('abort', close, { once: true });
  if (stop.aborted) close();
  void take();
  let hasMore = true;
  try {
    for (;;) {
      while (queue.length === 0 && !isAtEnd && !closed()) await arrived.next();
      const first = queue[0];
      if (first === undefined) break;
      const settled = await first;
      queue.shift();
      if (settled.how === 'not begun') break;
      if (settled.how === 'failed') {
        hasMore = false;
        throw settled.error;
      }
      waiting -= settled.weight;
      room.notify();
      yield settled.result;
    }
    hasMore = false;
    // The failure of later work also ended the earlier work that had not started.
    for (const rest of await Promise.all(queue)) if (rest.how === 'failed') throw rest.error;
  } finally {
    stop.removeEventListener('abort', close);
    close();
    if (hasMore) options.abandon();
    for (const rest of await Promise.all(queue)) {
      if (rest.how === 'done') await options.discard(rest.result);
    }
  }
}
