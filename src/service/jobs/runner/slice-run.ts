import type { CallSignal } from '../../../../lib/runtime/abort.js';
import { accountTurns } from '../../../../lib/runtime/account-turns.js';
import type { JobAtWork } from '../job.js';
import { JobRows, type JobRowsContext } from './job-rows.js';
import type { InputRun } from './lanes.js';
import type { Committed, Slice } from './line-store.js';
import type { LineStore } from './slice-store.js';

export interface SliceRunContext extends JobRowsContext {
  readonly store: LineStore;
  /** Called when lines were added, or when further inputs can start. */
  readonly onProgress: (job: string) => void;
  /** Called once the last line of the job exists. */
  readonly onFinished: (job: string) => void;
}

/**
 * A slice in progress: its inputs, and the rows for their lines. After a stop its next owner continues with the rest.
 */
export class SliceRun implements InputRun {
  readonly job: JobAtWork;
  readonly rows: JobRows;
  /** Resolves once this process has nothing left to do. Rejects if it lost the slice or the node stops. */
  readonly done: Promise<void>;
  readonly #slice: Slice;
  readonly #context: SliceRunContext;
  /** Indexes of inputs to start, next one last; null before the first start. */
  #queue: number[] | null = null;
  #isLoading = false;
  readonly #running = new Map<number, AbortController>();
  readonly #signal: CallSignal;
  #resolve: () => void = () => undefined;
  #reject: (reason: unknown) => void = () => undefined;
  /** Inputs without a row. */
  #left = 0;
  #isOver = false;

  constructor(slice: Slice, signal: AbortSignal, context: SliceRunContext) {
    this.job = slice.job;
    this.rows = new JobRows(slice.job, signal, context, (lines, became) => this.#onWritten(lines, became));
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
    // The signal lives as long as the node, and would retain every slice.
    const leave = () => signal.removeEventListener('abort', stop);
    this.done.then(leave, leave);
  }

  get ready(): boolean {
    if (this.#isEnding || this.#isLoading || this.rows.isFull) return false;
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
      // A cancelled or deleted job has no inputs to read.
      if (!this.#isOver && (await this.#hasEnded())) this.giveUp();
      this.putBack(index);
      if (this.#isOver) return null;
      throw cause;
    }
  }

  /** Returns true if the job ended elsewhere, or was deleted; false if that cannot be determined now. */
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

  end(index: number): void {
    this.#running.delete(index);
    this.#endWhenStopped();
  }

  /** Ends the slice once pending writes finish, because the job was cancelled or deleted, or no input remains. */
  giveUp(): void {
    this.#isOver = true;
    this.#abortRunning();
    void this.rows.drop().then(this.#resolve);
  }

  /**
   * Ends the slice because it was lost or the node stops. Finished calls are written first: another node would repeat
   * them.
   */
  #stop(): void {
    this.#abortRunning();
    this.#endWhenStopped();
  }

  #endWhenStopped(): void {
    if (!this.#signal.aborted || this.#running.size > 0) return;
    this.#isOver = true;
    void this.rows.end().then(() => this.#reject(this.#signal.reason));
  }

  #abortRunning(): void {
    const reason = new DOMException('The input was abandoned.', 'AbortError');
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
    // Shows that the job has started; lines do not wait for it.
    else if (this.job.status === 'queued') store.begin(this.job.id).catch(() => undefined);
    onProgress(this.job.id);
  }

  #onWritten(lines: number, became: Committed): void {
    const { onProgress, onFinished } = this.#context;
    const { id } = this.job;
    this.#left -= lines;
    onProgress(id);
    if (became === 'finished') onFinished(id);
    if (this.#left === 0 || became !== 'kept') this.giveUp();
  }
}
