import { CallAbort, type CallSignal } from '../runtime/abort.js';

interface Flight<T> {
  readonly result: Promise<T>;
  readonly end: CallAbort;
  /** Aborted once every waiting caller wants no further requests. */
  readonly stop: CallAbort;
  waiters: number;
  stopped: number;
}

/** Created once: each instance would capture a stack that is never read. */
const noCallerLeft = new DOMException('No caller is waiting any more.', 'AbortError');

/** Work that callers may share; `end` aborts its signal. */
type Work<T> = (signal: CallSignal, end: (reason: unknown) => void) => Promise<T>;

/**
 * Lets concurrent callers that want the same thing share the work. Nothing outlives it: after success or failure, the
 * next caller starts it again.
 */
export class SingleFlight<T> {
  /**
   * Not a map: a busy map outgrows its tables, which retain their contents until the next full garbage collection, tens
   * of megabytes in a batch.
   */
  readonly #flights: Record<string, Flight<T> | undefined> = Object.create(null);

  /**
   * Returns the result of `work`, which starts unless it is running for that key. A failure reaches every waiting
   * caller. A caller whose `signal` is aborted receives the signal's reason immediately. The work's own signal is
   * aborted when the last caller has left, and stopped when the last one was stopped.
   */
  async run(key: string, work: Work<T>, signal?: CallSignal | undefined): Promise<T> {
    signal?.throwIfAborted();
    const pending = this.#flights[key];
    const flight = pending === undefined || pending.stop.aborted ? this.#start(key, work) : pending;
    flight.waiters++;
    let leave = () => {};
    let isStopped = false;
    const stop = () => {
      isStopped = true;
      flight.stopped++;
      stopWhereAllAre(flight, signal?.stop?.reason);
    };
    signal?.stop?.addEventListener('abort', stop, { once: true });
    if (signal?.stop?.aborted === true) stop();
    try {
      return await new Promise<T>((resolve, reject) => {
        flight.result.then(resolve, reject);
        leave = () => reject(signal?.reason);
        signal?.addEventListener('abort', leave, { once: true });
      });
    } finally {
      signal?.removeEventListener('abort', leave);
      signal?.stop?.removeEventListener('abort', stop);
      flight.waiters--;
      if (isStopped) flight.stopped--;
      if (flight.waiters === 0) this.#end(key, flight);
    }
  }

  #start(key: string, work: Work<T>): Flight<T> {
    const stop = new CallAbort();
    const end = new CallAbort(undefined, stop);
    const flight: Flight<T> = { result: startWork(work, end), end, stop, waiters: 0, stopped: 0 };
    this.#flights[key] = flight;
    const landed = () => this.#forget(key, flight);
    flight.result.then(landed, landed);
    return flight;
  }

  /** Aborts work without callers, unless it has ended. */
  #end(key: string, flight: Flight<T>): void {
    if (this.#forget(key, flight)) flight.end.abort(noCallerLeft);
  }

  #forget(key: string, flight: Flight<T>): boolean {
    return this.#flights[key] === flight && delete this.#flights[key];
  }
}

function stopWhereAllAre({ stop, waiters, stopped }: Flight<unknown>, reason: unknown): void {
  if (stopped === waiters) stop.abort(reason);
}

/** Work that throws before its first `await` fails like any other. */
async function startWork<T>(work: Work<T>, end: CallAbort): Promise<T> {
  return work(end, (reason) => end.abort(reason));
}
