import { setImmediate } from 'node:timers/promises';
import { ExtractError } from '../../../../lib/errors/extract-error.js';
import { inputId } from '../../../../lib/ledger/job-input.js';
import type { Clock } from '../../../../lib/runtime/clock.js';
import { cancelled, type Extent, type Given, type JobAtWork } from '../job.js';
import type { RunnerStore } from '../job-store.js';
import { namedFileFault, type ResultsFiles } from '../results/results-files.js';
import { LostLines, ResultsWriter } from '../results/results-writer.js';
import type { InputRun } from './lanes.js';
import type { FinishedInput } from './run-input.js';
import { errorLine } from './run-input.js';

/** The parts that the runs of all jobs share. */
export interface JobRunContext {
  readonly store: RunnerStore;
  readonly files: ResultsFiles;
  readonly clock: Clock;
  readonly docsBase: string;
  /** Ends everything; inputs that have not ended are left for the next start. */
  readonly stopping: AbortSignal;
  /** Runs when lines were added, or when further inputs can be begun. */
  readonly onProgress: (run: JobRun) => void;
  /** Runs when the last line is written. */
  readonly onFinished: (run: JobRun) => void;
  /** Gets what keeps lines from being written; they are tried again after a pause. */
  readonly onError: (id: string, cause: unknown) => void;
}

/** Bytes of lines that may wait to be written before no further input is begun. */
const maxWaitingBytes = 8 * 1024 * 1024;
/** Lines of a cancelled job that are written at once. */
const cancelledAtOnce = 1000;
const resultsRemedy =
  'Correct its rights, or move it away: the job goes on by itself, and makes anew what was lost with it.';
const firstPause = 1000;
const maxPause = 30_000;

const sameExtent = (a: Extent, b: Extent) =>
  a.lines === b.lines && a.bytes === b.bytes && a.lateBytes === b.lateBytes;

/**
 * One job at work. Ended inputs gather. A group of them is written to the results and made durable. Then one
 * transaction ends their rows and moves the extent over their lines. A kill in between leaves lines behind the extent.
 * Their inputs still run, for the price they have paid.
 */
export class JobRun implements InputRun {
  readonly job: JobAtWork;
  readonly #context: JobRunContext;
  readonly #running = new Map<number, AbortController>();
  /** Indexes of inputs that are to be begun, the next one last; null before the first is. */
  #queue: number[] | null = null;
  #isLoading = false;
  #ended: FinishedInput[] = [];
  #waiting = 0;
  #writer: ResultsWriter | undefined;
  #flushing: Promise<void> | undefined;
  #cancelled: boolean;
  readonly #dropped = new AbortController();
  readonly #untilStopped: AbortSignal;
  #dropping: Promise<void> | undefined;

  constructor(job: JobAtWork, context: JobRunContext) {
    this.job = job;
    this.#context = context;
    this.#cancelled = job.status === 'cancelled';
    this.#untilStopped = AbortSignal.any([context.stopping, this.#dropped.signal]);
    if (this.#cancelled) this.#flush();
  }

  get account(): string {
    return this.job.account;
  }

  get running(): number {
    return this.#running.size + (this.#isLoading ? 1 : 0);
  }

  get ready(): boolean {
    if (this.#isDropped || this.#cancelled || this.#isLoading || this.#waiting >= maxWaitingBytes) {
      return false;
    }
    return this.#queue === null || this.#queue.length > 0;
  }

  get #isDropped(): boolean {
    return this.#dropped.signal.aborted;
  }

  /** Takes the next input to be begun; the signal gives it up. Null when there is none. */
  async take(): Promise<{
    readonly index: number;
    readonly input: string;
    readonly given: Given | null;
    readonly signal: AbortSignal;
  } | null> {
    if (this.#queue === null) await this.#loadQueue();
    if (this.#cancelled || this.#context.stopping.aborted) return null;
    const index = this.#queue?.pop();
    if (index === undefined) return null;
    const controller = new AbortController();
    this.#running.set(index, controller);
    try {
      const { store } = this.#context;
      const input = await store.readInput(this.job.id, index);
      const given = this.job.lineOptions.new === true ? await store.readGiven(this.job.id, index) : null;
      return { index, input, given, signal: controller.signal };
    } catch (cause) {
      this.#running.delete(index);
      // A cancelled job has no inputs left to be read.
      if (this.#cancelled || this.#isDropped) return null;
      this.#queue?.push(index);
      throw cause;
    }
  }

  /** An input that was taken could not be run now: it is to be begun again. */
  putBack(index: number): void {
    this.#running.delete(index);
    if (!this.#cancelled) this.#queue?.push(index);
  }

  /** An input that was taken has ended, or (null) was given up. */
  end(index: number, finished: FinishedInput | null): void {
    this.#running.delete(index);
    if (finished === null || this.#cancelled || this.#isDropped) return;
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

  /** The job was deleted with its account: nothing more is begun or written, and its files go. */
  drop(): Promise<void> {
    this.#dropping ??= this.#drop();
    return this.#dropping;
  }

  /** Gives up the inputs that run. */
  giveUp(): void {
    const reason = new DOMException('The input was given up.', 'AbortError');
    for (const controller of this.#running.values()) controller.abort(reason);
  }

  async #drop(): Promise<void> {
    this.#dropped.abort();
    this.giveUp();
    this.#ended = [];
    await this.#flushing;
    await this.#context.files.remove(this.job.id);
    this.#context.onFinished(this);
  }

  /** Resolves when nothing is being written. */
  async quiet(): Promise<void> {
    await this.#flushing;
  }

  async #loadQueue(): Promise<void> {
    const { store, onProgress } = this.#context;
    this.#isLoading = true;
    try {
      this.#queue = [...(await store.listPendingInputs(this.job.id))].reverse();
    } finally {
      this.#isLoading = false;
    }
    // People see that it has begun; the lines do not wait for it.
    if (this.job.status === 'queued') store.begin(this.job.id).catch(() => undefined);
    onProgress(this);
  }

  #flush(): void {
    this.#flushing ??= this.#writeAll().finally(() => {
      this.#flushing = undefined;
    });
  }

  async #writeAll(): Promise<void> {
    let pause = firstPause;
    // Inputs that end in one turn of the event loop are written together.
    await setImmediate();
    while (!this.#isDropped && (this.#ended.length > 0 || this.#cancelled)) {
      const group = this.#ended;
      this.#ended = [];
      try {
        this.#writer ??= await this.#open();
        if (this.#cancelled) await this.#writeCancelled(this.#writer);
        else await this.#write(this.#writer, group);
        pause = firstPause;
      } catch (cause) {
        if (this.#context.stopping.aborted || this.#isDropped) return;
        this.#context.onError(this.job.id, namedFileFault(cause, resultsRemedy));
        // Read anew: what was written before may be gone.
        if (cause instanceof LostLines) this.#writer = undefined;
        this.#ended = [...group, ...this.#ended];
        try {
          await this.#context.clock.sleep(pause, this.#untilStopped);
        } catch {
          return;
        }
        pause = Math.min(2 * pause, maxPause);
        continue;
      }
      this.#context.onProgress(this);
      if (this.#writer.extent.lines === this.job.total) {
        this.#context.onFinished(this);
        return;
      }
    }
  }

  /** Takes up the files. Lines that are not there any more are lost: their inputs begin anew, or are given back. */
  async #open(): Promise<ResultsWriter> {
    const { files, store, onError } = this.#context;
    const { id, total } = this.job;
    const extent = (await store.findUnfinished(id))?.extent ?? this.job.extent;
    const writer = await ResultsWriter.open(files, id, total, extent, (index) => store.readInput(id, index));
    if (sameExtent(writer.extent, extent)) return writer;
    const unended = new Set(await store.listPendingInputs(id));
    const lost: number[] = [];
    for (let index = 0; index < total; index += 1) {
      if (!writer.has(index) && !unended.has(index)) lost.push(index);
    }
    await store.restore(id, writer.extent, lost);
    onError(
      id,
      new Error(`${lost.length} lines of its results were lost with their file, and are made anew.`),
    );
    if (this.#queue !== null) this.#queue = [...lost, ...this.#queue].sort((a, b) => b - a);
    return writer;
  }

  async #write(writer: ResultsWriter, group: readonly FinishedInput[]): Promise<void> {
    const { store } = this.#context;
    const { id } = this.job;
    const to = await writer.append(new Map(group.map(({ index, line }) => [index, line])));
    let isCommitted: boolean;
    try {
      isCommitted = await store.commit(id, group, to);
    } catch (cause) {
      // A commit that was reported as failed may have reached the disk all the same.
      const now = await store.findUnfinished(id);
      if (now === null || !sameExtent(now.extent, to)) throw cause;
      isCommitted = true;
    }
    for (const { line } of group) this.#waiting -= line.length;
    if (isCommitted) await writer.applyCommitted();
    else this.cancel();
  }

  async #writeCancelled(writer: ResultsWriter): Promise<void> {
    const { store, docsBase } = this.#context;
    const { id, total } = this.job;
    const lines = new Map<number, Buffer>();
    for (let index = writer.extent.lines; index < total && lines.size < cancelledAtOnce; index += 1) {
      if (writer.has(index)) continue;
      const error = new ExtractError(cancelled, undefined, { requestId: inputId(id, index), docsBase });
      lines.set(index, errorLine(await store.readInput(id, index), error));
    }
    const to = await writer.append(lines);
    await store.advance(id, to);
    await writer.applyCommitted();
  }
}
