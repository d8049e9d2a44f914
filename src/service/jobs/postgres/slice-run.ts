import type { Clock } from '../../../../lib/runtime/clock.js';
import { coalesce } from '../../../../lib/runtime/coalesce.js';
import type { JobAtWork } from '../job.js';
import type { InputRun } from '../runner/lanes.js';
import type { FinishedInput } from '../runner/run-input.js';
import type { SliceStore, TakenSlice } from './slice-store.js';

/** The parts that the runs of all slices share. */
export interface SliceRunContext {
  readonly store: SliceStore;
  readonly clock: Clock;
  /** Runs when lines were added, or when further inputs can be begun. */
  readonly onProgress: (job: string) => void;
  /** Runs when the last line of the job is there. */
  readonly onFinished: (job: string) => void;
  /** Gets what keeps lines from being written; they are tried again after a pause. */
  readonly onError: (job: string, cause: unknown) => void;
}

const firstPause = 1000;
const maxPause = 30_000;

/**
 * One slice at work. Ended inputs gather while a group of them is written, in one transaction with their lines. A kill leaves
 * the rest pending: whoever gets the slice then goes on with it.
 */
export class SliceRun implements InputRun {
  readonly job: JobAtWork;
  /** Resolves when nothing is left to be done here; rejects when the slice was taken away or the node stops. */
  readonly done: Promise<void>;
  readonly #context: SliceRunContext;
  readonly #inputs: ReadonlyMap<number, string>;
  /** Indexes of inputs that are to be begun, the next one last. */
  readonly #queue: number[];
  readonly #running = new Map<number, AbortController>();
  readonly #signal: AbortSignal;
  #resolve: () => void = () => undefined;
  #reject: (reason: unknown) => void = () => undefined;
  #ended: FinishedInput[] = [];
  #left: number;
  #isOver = false;
  #flushing: Promise<void> | undefined;

  constructor({ job, inputs }: TakenSlice, signal: AbortSignal, context: SliceRunContext) {
    this.job = job;
    this.#context = context;
    this.#inputs = inputs;
    this.#queue = [...inputs.keys()].reverse();
    this.#left = inputs.size;
    this.#signal = signal;
    this.done = new Promise<void>((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    signal.addEventListener('abort', () => this.#stop(), { once: true });
    if (signal.aborted) this.#stop();
    else if (this.#left === 0) this.giveUp();
    // People see that it has begun; the lines do not wait for it.
    else if (job.status === 'queued') context.store.begin(job.id).catch(() => undefined);
  }

  get account(): string {
    return this.job.account;
  }

  get running(): number {
    return this.#running.size;
  }

  get ready(): boolean {
    return !this.#isOver && this.#queue.length > 0;
  }

  async take() {
    const index = this.#isOver ? undefined : this.#queue.pop();
    if (index === undefined) return null;
    const controller = new AbortController();
    this.#running.set(index, controller);
    try {
      const isAsked = this.job.lineOptions.new === true;
      const given = isAsked ? await this.#context.store.readGiven(this.job.id, index) : null;
      return { index, input: this.#inputs.get(index) as string, given, signal: controller.signal };
    } catch (cause) {
      this.putBack(index);
      throw cause;
    }
  }

  putBack(index: number): void {
    this.#running.delete(index);
    if (!this.#isOver) this.#queue.push(index);
  }

  end(index: number, finished: FinishedInput | null): void {
    this.#running.delete(index);
    if (finished === null || this.#isOver) return;
    this.#ended.push(finished);
    this.#flushing ??= this.#writeAll().finally(() => {
      this.#flushing = undefined;
    });
  }

  /** The job was cancelled or deleted, or nothing is left: the slice is done. */
  giveUp(): void {
    this.#over();
    this.#resolve();
  }

  /** Taken away, or the node stops: what has ended and is not written yet is run again elsewhere. */
  #stop(): void {
    this.#over();
    // A write under way is finished first: another node would find it half done.
    void (this.#flushing ?? Promise.resolve()).then(() => this.#reject(this.#signal.reason));
  }

  #over(): void {
    this.#isOver = true;
    const reason = new DOMException('The input was given up.', 'AbortError');
    for (const controller of this.#running.values()) controller.abort(reason);
  }

  async #writeAll(): Promise<void> {
    const { store, clock, onProgress, onFinished, onError } = this.#context;
    const { id } = this.job;
    let pause = firstPause;
    // Inputs that end in the same turns of the event loop are written together: a group costs little more than a
    // single line.
    await coalesce(() => this.#ended.length);
    while (!this.#isOver && this.#ended.length > 0) {
      const group = this.#ended;
      this.#ended = [];
      try {
        const became = await store.commit(id, group);
        pause = firstPause;
        this.#left -= group.length;
        onProgress(id);
        if (became === 'finished') onFinished(id);
        if (this.#left === 0 || became === 'cancelled' || became === 'gone') this.giveUp();
      } catch (cause) {
        if (this.#isOver) return;
        onError(id, cause);
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
}
