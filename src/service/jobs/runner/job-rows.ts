import type { CallSignal } from '../../../../lib/runtime/abort.js';
import type { Clock } from '../../../../lib/runtime/clock.js';
import type { Sink } from '../../../lines/sink.js';
import type { JobAtWork } from '../job.js';
import { finishedInput, type JobLine } from './job-line.js';
import type { Committed, FinishedInput } from './line-store.js';
import type { LineStore } from './slice-store.js';

export interface JobRowsContext {
  readonly store: Pick<LineStore, 'commit'>;
  readonly clock: Pick<Clock, 'sleep'>;
  readonly docsBase: string;
  /** Resolves when an account's collected lines, currently `size()`, should be written. */
  readonly gather: (account: string, size: () => number) => Promise<void>;
  /** Called if lines cannot be written. They are retried after a pause. */
  readonly onError: (job: string, cause: unknown) => void;
}

/** Bytes of unwritten lines above which no further input starts. */
const maxWaitingBytes = 8 * 1024 * 1024;
const firstPause = 1000;
const maxPause = 30_000;

/**
 * The rows of a slice of a job, in any order. A line, its cost and its memory are written in one transaction. Lines
 * accumulate while a group is written. If the process is killed, the inputs of unwritten lines are still pending.
 */
export class JobRows implements Sink<JobLine> {
  readonly #job: JobAtWork;
  readonly #signal: CallSignal;
  readonly #context: JobRowsContext;
  readonly #onWritten: (lines: number, became: Committed) => void;
  #ended: FinishedInput[] = [];
  #waiting = 0;
  #isClosed = false;
  #writing: Promise<void> | undefined;

  constructor(
    job: JobAtWork,
    signal: CallSignal,
    context: JobRowsContext,
    onWritten: (lines: number, became: Committed) => void,
  ) {
    this.#job = job;
    this.#signal = signal;
    this.#context = context;
    this.#onWritten = onWritten;
  }

  /** True if no further input may start, so that no caller waits in `add`. */
  get isFull(): boolean {
    return this.#waiting >= maxWaitingBytes;
  }

  add(line: JobLine): void {
    if (this.#isClosed) return;
    const input = finishedInput(this.#job, line, this.#context.docsBase);
    this.#ended.push(input);
    this.#waiting += input.line.length;
    this.#writing ??= this.#writeAll();
  }

  /** Also resolves, without the rest, if it cannot be written before the signal aborts. */
  async end(): Promise<void> {
    await this.#writing;
    this.#isClosed = true;
  }

  /** Closes without the rest, because the job was cancelled or deleted. */
  async drop(): Promise<void> {
    this.#isClosed = true;
    this.#ended = [];
    await this.#writing;
  }

  async #writeAll(): Promise<void> {
    const { clock, gather, onError } = this.#context;
    let pause = firstPause;
    // A group costs little more than a single line.
    await gather(this.#job.account, () => this.#ended.length);
    while (!this.#isClosed && this.#ended.length > 0) {
      const group = this.#ended;
      this.#ended = [];
      try {
        await this.#write(group);
        pause = firstPause;
      } catch (cause) {
        if (this.#isClosed || this.#signal.aborted) break;
        onError(this.#job.id, cause);
        this.#ended = [...group, ...this.#ended];
        const isAborted = await clock.sleep(pause, this.#signal).then(
          () => false,
          () => true,
        );
        if (isAborted) break;
        pause = Math.min(2 * pause, maxPause);
      }
    }
    this.#writing = undefined;
  }

  async #write(group: readonly FinishedInput[]): Promise<void> {
    const became = await this.#context.store.commit(this.#job.id, group);
    for (const { line } of group) this.#waiting -= line.length;
    this.#onWritten(group.length, became);
  }
}
