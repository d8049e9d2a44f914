import { setImmediate } from 'node:timers/promises';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import { inputId } from '../../../lib/ledger/sqlite/job-entries.js';
import type { Clock } from '../../../lib/runtime/clock.js';
import { cancelled, type Extent, type JobAtWork, type JobStore } from '../job.js';
import { errorLine } from '../results/line.js';
import type { ResultsFiles } from '../results/results-files.js';
import { ResultsWriter } from '../results/results-writer.js';
import type { Worker } from './fair-turns.js';
import type { FinishedInput } from './run-input.js';

/** What the runs of all jobs share. */
export interface RunSurroundings {
  readonly store: JobStore;
  readonly files: ResultsFiles;
  readonly clock: Clock;
  readonly docsBase: string;
  /** Ends everything, leaving what has not ended for the next start. */
  readonly stopping: AbortSignal;
  /** Lines were added, or room was made for more. */
  readonly moved: (run: JobRun) => void;
  /** The last line is there. */
  readonly finished: (run: JobRun) => void;
  /** Lines cannot be written; tried again after a pause. */
  readonly troubled: (id: string, cause: unknown) => void;
}

/** Bytes of lines that may wait to be written before no further input is begun. */
const mostWaiting = 8 * 1024 * 1024;
/** Lines of a cancelled job that are written at once. */
const cancelledAtOnce = 1000;
const firstPause = 1000;
const longestPause = 30_000;

const sameExtent = (a: Extent, b: Extent) =>
  a.lines === b.lines && a.bytes === b.bytes && a.lateBytes === b.lateBytes;

/**
 * One job at work. Inputs that have ended gather; a group of them is written to the results and made durable, and
 * then one transaction ends their rows and vouches for their lines. Whatever kills the process in between leaves
 * lines that nobody vouches for and inputs that are still to be run, for the price they have paid.
 */
export class JobRun implements Worker {
  readonly job: JobAtWork;
  readonly #in: RunSurroundings;
  readonly #running = new Map<number, AbortController>();
  /** Places of inputs that are to be begun, the next one last; null before the first is. */
  #queue: number[] | null = null;
  #ended: FinishedInput[] = [];
  #waiting = 0;
  #writer: ResultsWriter | undefined;
  #flushing: Promise<void> | undefined;
  #cancelled: boolean;
  #broken = false;

  constructor(job: JobAtWork, surroundings: RunSurroundings) {
    this.job = job;
    this.#in = surroundings;
    this.#cancelled = job.status === 'cancelled';
    if (this.#cancelled) this.#flush();
  }

  get account(): string {
    return this.job.account;
  }

  get running(): number {
    return this.#running.size;
  }

  get ready(): boolean {
    if (this.#cancelled || this.#broken || this.#waiting >= mostWaiting) return false;
    return this.#queue === null || this.#queue.length > 0;
  }

  /** Takes the next input to be begun; the signal gives it up. */
  take(): { readonly index: number; readonly input: string; readonly signal: AbortSignal } | null {
    const { store } = this.#in;
    if (this.#queue === null) {
      this.#queue = store.pending(this.job.id).toReversed();
      // That it has begun is for people to see; the lines do not wait for it.
      if (this.job.status === 'queued') store.begin(this.job.id).catch(() => undefined);
    }
    const index = this.#queue.at(-1);
    if (index === undefined) return null;
    const input = store.input(this.job.id, index);
    this.#queue.pop();
    const controller = new AbortController();
    this.#running.set(index, controller);
    return { index, input, signal: controller.signal };
  }

  /** An input that was taken has ended, or (null) was given up. */
  end(index: number, finished: FinishedInput | null): void {
    this.#running.delete(index);
    if (finished === null || this.#cancelled) return;
    this.#ended.push(finished);
    this.#waiting += finished.line.length;
    this.#flush();
  }

  /** The job was cancelled: gives up what runs and writes the lines of what never ran. */
  cancel(): void {
    if (this.#cancelled) return;
    this.#cancelled = true;
    this.giveUp();
    this.#ended = [];
    this.#waiting = 0;
    this.#flush();
  }

  /** Gives up the inputs that run. */
  giveUp(): void {
    const reason = new DOMException('The input was given up.', 'AbortError');
    for (const controller of this.#running.values()) controller.abort(reason);
  }

  /** Resolves when nothing is being written. */
  async quiet(): Promise<void> {
    await this.#flushing;
  }

  #flush(): void {
    this.#flushing ??= this.#writeAll().finally(() => {
      this.#flushing = undefined;
    });
  }

  async #writeAll(): Promise<void> {
    let pause = firstPause;
    // What ends in one turn of the event loop is written together.
    await setImmediate();
    while (this.#ended.length > 0 || this.#cancelled) {
      const group = this.#ended;
      this.#ended = [];
      try {
        this.#writer ??= await this.#open();
        if (this.#cancelled) await this.#writeCancelled(this.#writer);
        else await this.#write(this.#writer, group);
        pause = firstPause;
      } catch (cause) {
        if (this.#in.stopping.aborted) return;
        this.#in.troubled(this.job.id, cause);
        if (this.#broken) return;
        this.#ended = [...group, ...this.#ended];
        try {
          await this.#in.clock.sleep(pause, this.#in.stopping);
        } catch {
          return;
        }
        pause = Math.min(2 * pause, longestPause);
        continue;
      }
      this.#in.moved(this);
      if (this.#writer.extent.lines === this.job.total) {
        this.#in.finished(this);
        return;
      }
    }
  }

  async #open(): Promise<ResultsWriter> {
    const { files, store } = this.#in;
    const { id, total } = this.job;
    const extent = store.atWork(id)?.extent ?? this.job.extent;
    try {
      return await ResultsWriter.open(files, id, total, extent);
    } catch (cause) {
      // Somebody took the lines away: without them nothing can be added in order.
      this.#broken = true;
      throw cause;
    }
  }

  async #write(writer: ResultsWriter, group: readonly FinishedInput[]): Promise<void> {
    const { store } = this.#in;
    const { id } = this.job;
    const to = await writer.append(new Map(group.map(({ index, line }) => [index, line])));
    let kept: boolean;
    try {
      kept = await store.commit(id, group, to);
    } catch (cause) {
      // A commit that was told as failed may have reached the disk all the same.
      const now = store.atWork(id);
      if (now === null || !sameExtent(now.extent, to)) throw cause;
      kept = true;
    }
    for (const { line } of group) this.#waiting -= line.length;
    if (kept) await writer.adopt();
    else this.cancel();
  }

  async #writeCancelled(writer: ResultsWriter): Promise<void> {
    const { store, docsBase } = this.#in;
    const { id, total } = this.job;
    const lines = new Map<number, Buffer>();
    for (let index = writer.extent.lines; index < total && lines.size < cancelledAtOnce; index += 1) {
      if (writer.has(index)) continue;
      const error = new ExtractError(cancelled, undefined, { requestId: inputId(id, index), docsBase });
      lines.set(index, errorLine(store.input(id, index), error));
    }
    const to = await writer.append(lines);
    await store.advance(id, to);
    await writer.adopt();
  }
}
