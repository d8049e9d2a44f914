import { accountTurns } from '../../../../lib/runtime/account-turns.js';
import type { Clock } from '../../../../lib/runtime/clock.js';
import type { JobAtWork } from '../job.js';
import type { InputRun } from './lanes.js';
import type { LineStore, Slice } from './line-store.js';
import type { FinishedInput } from './run-input.js';

/** The parts shared by the runs of all slices. */
export interface SliceRunContext {
  readonly store: LineStore;
  readonly clock: Clock;
  /** Resolves when the collected lines of an account, currently `size()`, should be written. */
  readonly gather: (account: string, size: () => number) => Promise<void>;
  /** Called when lines were added, or when further inputs can be started. */
  readonly onProgress: (job: string) => void;
  /** Called when the last line of the job exists. */
  readonly onFinished: (job: string) => void;
  /** Called with what prevents lines from being written; they are retried after a pause. */
  readonly onError: (job: string, cause: unknown) => void;
}

/** Bytes of unwritten lines after which no further input is started. */
const maxWaitingBytes = 8 * 1024 * 1024;
const firstPause = 1000;
const maxPause = 30_000;

/**
 * One slice in progress. Finished inputs accumulate while a group of them is written. If the process is killed, the
 * rest stays pending, and the slice's next owner continues with it.
 */
export class SliceRun implements InputRun {
  readonly job: JobAtWork;
  /** Resolves when this process has nothing left to do; rejects if it lost the slice or the node stops. */
  readonly done: Promise<void>;
  readonly #slice: Slice;
  readonly #context: SliceRunContext;
  /** Indexes of inputs to start, next one last; null before the first is started. */
  #queue: number[] | null = null;
  #isLoading = false;
  readonly #running = new Map<number, AbortController>();
  readonly #signal: AbortSignal;
  #resolve: () => void = () => undefined;
  #reject: (reason: unknown) => void = () => undefined;
  #ended: FinishedInput[] = [];
  #waiting = 0;
  #left = 0;
  /** Nothing more is written. */
  #isOver = false;
  #flushing: Promise<void> | undefined;

  constructor(slice: Slice, signal: AbortSignal, context: SliceRunContext) {
    this.job = slice.job;
    this.#slice = slice;
    this.#context = context;
    this.#signal = signal;
    this.done = new Promise<void>((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    const stop = () => this.#stop();
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    // The signal is the node's, and would retain every slice it ever worked on.
    const leave = () => signal.removeEventListener('abort', stop);
    this.done.then(leave, leave);
  }

  get ready(): boolean {
    if (this.#isEnding || this.#isLoading || this.#waiting >= maxWaitingBytes) return false;
    return this.#queue === null || this.#queue.length > 0;
  }

  get #isEnding(): boolean {
    return this.#isOver || this.#signal.aborted;
  }

  async take() {
    if (this.#queue === null) await this.#load();
    const index = this.#isEnding ? undefined : this.#queue?.pop();
    if (index === undefined) return null;
    const controller = new AbortController();
    this.#running.set(index, controller);
    try {
      await accountTurns.next(this.job.account);
      const input = await this.#slice.input(index);
      return { index, input, signal: controller.signal };
    } catch (cause) {
      // A job that was cancelled or deleted has no inputs left to read.
      if (!this.#isOver && (await this.#hasEnded())) this.giveUp();
      this.putBack(index);
      if (this.#isOver) return null;
      throw cause;
    }
  }

  /**
   * True if the job has ended elsewhere, or was deleted, before this node was notified; false if that cannot be
   * determined now.
   */
  #hasEnded(): Promise<boolean> {
    const { id } = this.job;
    return this.#context.store.states([id]).then(
      (states) => !states.has(id),
      () => false,
    );
  }

  putBack(index: number): void {
    this.#running.delete(index);
    if (!this.#isOver) this.#queue?.push(index);
    this.#endWhenStopped();
  }

  end(index: number, finished: FinishedInput | null): void {
    this.#running.delete(index);
    if (finished !== null && !this.#isOver) {
      this.#ended.push(finished);
      this.#waiting += finished.line.length;
      this.#flushing ??= this.#writeAll().finally(() => {
        this.#flushing = undefined;
        this.#endWhenStopped();
      });
    }
    this.#endWhenStopped();
  }

  /** Ends the slice, once pending writes finish, because the job was cancelled or deleted, or nothing is left. */
  giveUp(): void {
    this.#isOver = true;
    this.#ended = [];
    this.#abortRunning();
    void (this.#flushing ?? Promise.resolve()).then(this.#resolve);
  }

  /**
   * Ends the slice because it was lost or the node stops. Finished calls are written first, because another node would
   * repeat them.
   */
  #stop(): void {
    this.#abortRunning();
    this.#endWhenStopped();
  }

  #endWhenStopped(): void {
    if (!this.#signal.aborted || this.#running.size > 0 || this.#flushing !== undefined) return;
    this.#isOver = true;
    this.#reject(this.#signal.reason);
  }

  #abortRunning(): void {
    const reason = new DOMException('The input was given up.', 'AbortError');
    for (const controller of this.#running.values()) controller.abort(reason);
  }

  async #load(): Promise<void> {
    const { store, onProgress } = this.#context;
    this.#isLoading = true;
    try {
      this.#queue = [...(await this.#slice.pending())].reverse();
    } finally {
      this.#isLoading = false;
    }
    this.#left = this.#queue.length;
    if (this.#left === 0) this.giveUp();
    // Shows people that it has started; the lines do not wait for it.
    else if (this.job.status === 'queued') store.begin(this.job.id).catch(() => undefined);
    onProgress(this.job.id);
  }

  async #writeAll(): Promise<void> {
    const { clock, gather, onError } = this.#context;
    let pause = firstPause;
    // A group costs little more than a single line.
    await gather(this.job.account, () => this.#ended.length);
    while (!this.#isOver && this.#ended.length > 0) {
      const group = this.#ended;
      this.#ended = [];
      try {
        await this.#write(group);
        pause = firstPause;
      } catch (cause) {
        if (this.#isEnding) return;
        onError(this.job.id, cause);
        this.#ended = [...group, ...this.#ended];
        try {
          await clock.sleep(pause, this.#signal);
        } catch {
          return;
        }
        pause = Math.min(2 * pause, maxPause);
      }
    }
  }

  async #write(group: readonly FinishedInput[]): Promise<void> {
    const { store, onProgress, onFinished } = this.#context;
    const { id } = this.job;
    const became = await store.commit(id, group);
    for (const { line } of group) this.#waiting -= line.length;
    this.#left -= group.length;
    onProgress(id);
    if (became === 'finished') onFinished(id);
    if (this.#left === 0 || became !== 'kept') this.giveUp();
  }
}
