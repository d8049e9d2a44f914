import { setImmediate as nextTurn } from 'node:timers/promises';
import pLimit from 'p-limit';
import { CallAbort, type CallSignal } from '../runtime/abort.js';
import { Notifier } from './notifier.js';

/** The error that work rejects with when its batch closed before its turn came. */
export const notBegun = new Error('not begun');

export interface OrderedOptions<Result> {
  /** Inputs that are worked on at once. */
  readonly concurrency: number;
  /** Inputs that were taken and whose results were not yet given, at most: what one stuck input may hold up. */
  readonly window: number;
  /** The weight of a result while it waits for earlier ones; no new input is taken above `maxWaiting`. */
  weigh(result: Result): number;
  readonly maxWaiting: number;
  /** Once aborted nothing new is begun: what is under way is finished and given, then the results end. */
  readonly stop: CallSignal;
  /** The consumer has left: what is under way should be given up. */
  abandon(): void;
  /** Called for each result that was finished and not given, because an earlier input failed or the consumer left. */
  discard(result: Result): Promise<void>;
}

type SettledInput<Result> =
  | { readonly how: 'done'; readonly result: Result; readonly weight: number }
  | { readonly how: 'failed'; readonly error: unknown }
  | { readonly how: 'not begun' };

/**
 * Works on inputs concurrently and gives the results in the order of the inputs. A bounded window keeps memory from
 * growing with their number. An input that hangs stops the others only at the window's end. When work rejects,
 * nothing new is begun (`closing` is aborted for those that wait for a turn). Work under way is finished, the results
 * before the failure are given, and then its error is thrown.
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
  let taken = 0;
  let waiting = 0;
  let ended = false;

  const close = () => {
    if (closing.aborted) return;
    closing.abort(notBegun);
    limit.clearQueue();
    arrived.notify();
    room.notify();
  };
  const closed = () => closing.aborted;

  // Closed before the place of work that failed is taken by another.
  const workUntilClosed = async (input: Input): Promise<Result> => {
    if (closed()) throw notBegun;
    try {
      return await work(input, closing);
    } catch (error) {
      close();
      throw error;
    }
  };

  const settle = async (input: Input): Promise<SettledInput<Result>> => {
    let begun = false;
    try {
      const result = await limit(() => {
        begun = true;
        return workUntilClosed(input);
      });
      const weight = options.weigh(result);
      waiting += weight;
      return { how: 'done', result, weight };
    } catch (error) {
      return !begun || error === notBegun ? { how: 'not begun' } : { how: 'failed', error };
    } finally {
      room.notify();
    }
  };

  // Inputs are taken a little ahead of the work, so that no turn waits for a line to be read.
  const full = () => queue.length >= window || waiting >= maxWaiting || limit.pendingCount > 0;

  const take = async () => {
    const iterator = inputs[Symbol.asyncIterator]();
    try {
      for (;;) {
        while (!closed() && full()) await room.next();
        taken += 1;
        // Samples and cached answers come at once: the loop would not turn between them, to draw or to be interrupted.
        if (taken % concurrency === 0) await nextTurn();
        if (closed()) return;
        const next = await iterator.next();
        if (next.done === true || closed()) return;
        queue.push(settle(next.value));
        arrived.notify();
      }
    } catch (error) {
      if (!closed()) queue.push(Promise.resolve({ how: 'failed', error }));
    } finally {
      ended = true;
      arrived.notify();
      // Not waited for: an input that is still being read may never come.
      Promise.resolve(iterator.return?.()).catch(() => undefined);
    }
  };

  stop.addEventListener('abort', close, { once: true });
  if (stop.aborted) close();
  void take();
  let left = true;
  try {
    for (;;) {
      while (queue.length === 0 && !ended && !closed()) await arrived.next();
      const first = queue[0];
      if (first === undefined) break;
      const settled = await first;
      queue.shift();
      if (settled.how === 'not begun') break;
      if (settled.how === 'failed') {
        left = false;
        throw settled.error;
      }
      waiting -= settled.weight;
      room.notify();
      yield settled.result;
    }
    left = false;
  } finally {
    stop.removeEventListener('abort', close);
    close();
    if (left) options.abandon();
    for (const rest of await Promise.all(queue)) {
      if (rest.how === 'done') await options.discard(rest.result);
    }
  }
}
