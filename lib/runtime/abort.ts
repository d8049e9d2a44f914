/** The part of an abort signal that this library uses. Every `AbortSignal` is one. */
export interface CallSignal {
  /** True once aborted. */
  readonly aborted: boolean;
  /** The reason of the abort. */
  readonly reason: unknown;
  /** Throws the reason if aborted. */
  throwIfAborted(): void;
  /** Calls the listener on abort. */
  addEventListener(type: 'abort', listener: () => void, options?: { readonly once?: boolean }): void;
  /** Removes a listener. */
  removeEventListener(type: 'abort', listener: () => void): void;
  /**
   * Aborts once no further requests may start: waiting requests are cancelled with the reason of `stop`, and a running
   * request finishes.
   */
  readonly stop?: CallSignal | undefined;
}

/**
 * A signal and its controller in one, for the lifetime of a call. An `AbortController` is a complete event target; a
 * batch creates several per call and would spend more on them than on its ledger.
 */
export class CallAbort implements CallSignal {
  /** Not a set: its outgrown tables would retain the listeners of finished calls until the next full collection. */
  #listeners: (() => void)[] = [];
  readonly #along: CallSignal | undefined;
  readonly #follow = () => this.abort(this.#along?.reason);
  readonly stop: CallSignal | undefined;
  #aborted = false;
  #reason: unknown;

  /**
   * Aborts along with another signal until `unlink`: a long-lived signal must not retain everything that followed it.
   */
  constructor(along?: CallSignal, stop: CallSignal | undefined = along?.stop) {
    this.#along = along;
    this.stop = stop;
    along?.addEventListener('abort', this.#follow, { once: true });
    if (along?.aborted === true) this.#follow();
  }

  get aborted(): boolean {
    return this.#aborted;
  }

  get reason(): unknown {
    return this.#reason;
  }

  /** Notifies the listeners once. Later reasons are ignored. */
  abort(reason: unknown): void {
    if (this.#aborted) return;
    this.#aborted = true;
    this.#reason = reason;
    const listeners = this.#listeners;
    this.#listeners = [];
    for (const listener of listeners) listener();
  }

  unlink(): void {
    this.#along?.removeEventListener('abort', this.#follow);
  }

  throwIfAborted(): void {
    if (this.#aborted) throw this.#reason;
  }

  addEventListener(_: 'abort', listener: () => void): void {
    this.#listeners.push(listener);
  }

  removeEventListener(_: 'abort', listener: () => void): void {
    const at = this.#listeners.indexOf(listener);
    if (at >= 0) this.#listeners.splice(at, 1);
  }
}

/** Returns true if the error is the reason with which a signal, or its `stop`, was aborted. */
export function isReasonOf(error: unknown, signal: CallSignal | undefined): boolean {
  return (
    (signal?.aborted === true && error === signal.reason) ||
    (signal?.stop?.aborted === true && error === signal.stop.reason)
  );
}

/** Waits with a signal that aborts along with the argument and its `stop`. */
export async function whileWaiting<T>(
  signal: CallSignal,
  wait: (signal: CallSignal) => Promise<T>,
): Promise<T> {
  const { stop } = signal;
  if (stop === undefined) return wait(signal);
  const waitAbort = new CallAbort(signal);
  const giveUp = () => waitAbort.abort(stop.reason);
  stop.addEventListener('abort', giveUp, { once: true });
  if (stop.aborted) giveUp();
  try {
    return await wait(waitAbort);
  } finally {
    waitAbort.unlink();
    stop.removeEventListener('abort', giveUp);
  }
}

/**
 * Resolves with the result of work, or rejects immediately with the reason of a signal that aborts, or of its `stop`.
 * The work continues.
 */
export function unlessAborted<T>(signal: CallSignal, work: Promise<T>): Promise<T> {
  return whileWaiting(
    signal,
    (waitAbort) =>
      new Promise<T>((resolve, reject) => {
        const abort = () => reject(waitAbort.reason);
        waitAbort.addEventListener('abort', abort, { once: true });
        if (waitAbort.aborted) abort();
        const done = () => waitAbort.removeEventListener('abort', abort);
        work.then(resolve, reject).finally(done);
      }),
  );
}

/**
 * Returns a controller that aborts along with `signal` until it is released. `AbortSignal.any` would retain every
 * request of a long-lived signal: 240 MB after 200,000 (Node 24.21).
 */
export function linkedAbort(signal: AbortSignal | undefined): {
  controller: AbortController;
  unlink(): void;
} {
  const controller = new AbortController();
  if (signal === undefined) return { controller, unlink() {} };
  const abort = () => controller.abort(signal.reason);
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, { once: true });
  return { controller, unlink: () => signal.removeEventListener('abort', abort) };
}
