import type { BatchResult } from '../../../lib/batch/run-batch.js';
import type { Answer } from '../../../lib/call/envelope.js';
import type { Sink } from '../../lines/sink.js';
import { readRange } from './failed-inputs.js';
import type { Input } from './input.js';
import { type InputResult, type LineFormat, resultLines } from './line-format.js';
import type { BatchPosition, LeftAnswers } from './output.js';
import type { RunPlan } from './run-plan.js';
import type { RunSink } from './run-sink.js';
import { addResult, type Totals } from './totals.js';

/** Maximum characters of answers in a checkpoint. */
const maxLeft = 64 * 1024 * 1024;

/** An input's answer, and the line that the steps return; null if they omitted all of it. */
export interface EndedInput<Item extends Input> {
  readonly result: BatchResult<Item>;
  readonly line: InputResult | null;
}

/** Writes the lines of a run in the order of the inputs. A retry copies the old output between them. */
export class OutputLines<Item extends Input> implements Sink<EndedInput<Item>> {
  /** Answers without a line, by index; undefined if no later run could use them. */
  readonly answers: Map<number, readonly Answer[]> | undefined;
  readonly #sink: RunSink;
  readonly #format: LineFormat;
  readonly #plan: RunPlan<Item>;
  #position: BatchPosition;

  constructor(sink: RunSink, format: LineFormat, plan: RunPlan<Item>, keepsAnswers: boolean) {
    this.#sink = sink;
    this.#format = format;
    this.#plan = plan;
    this.#position = sink.from;
    this.answers = sink.isResumable && keepsAnswers ? new Map(sink.unwritten) : undefined;
  }

  get totals(): Totals {
    return this.#position.totals;
  }

  async begin(): Promise<void> {
    const { isNew, output } = this.#sink;
    if (isNew && this.#format.head !== '') await output.add(this.#format.head, this.#position);
  }

  async add({ result, line }: EndedInput<Item>): Promise<void> {
    const { item, error, rest } = result;
    const range = this.#plan.replaces(item);
    await this.#copyOldOutput(range.from);
    const earlier = await this.#plan.earlier(item);
    this.#position = { totals: addResult(this.totals, result, line !== null), copied: range.to };
    const { text, kept } =
      line === null ? { text: earlier, kept: 0 } : resultLines(this.#format, line, earlier);
    const failed =
      error === null ? undefined : { index: item.index, ...(rest && { rest: { ...rest, kept } }) };
    const wait = this.#sink.output.add(text, this.#position, failed);
    if (wait !== undefined) await wait;
    this.answers?.delete(item.index);
  }

  /** Writes everything to disk, because a pause may be long. */
  flush(): Promise<void> {
    return this.#sink.output.flush(this.#left());
  }

  /** Called after the last input: a retry copies the rest of the old output. */
  async complete(): Promise<void> {
    const { oldOutput, finish } = this.#plan;
    if (oldOutput === undefined) return;
    this.#position = { ...this.#position, totals: finish(this.totals) };
    await this.#copyOldOutput(oldOutput.size);
    // Ensures a final entry, even if nothing was copied.
    await this.#sink.output.add('', this.#position);
  }

  async end(done: boolean): Promise<void> {
    const { output, close } = this.#sink;
    try {
      await output.end(done, this.#left());
      await close(done);
    } catch (cause) {
      await close(false);
      throw cause;
    }
  }

  async #copyOldOutput(to: number): Promise<void> {
    const { oldOutput } = this.#plan;
    if (oldOutput === undefined) return;
    for await (const bytes of readRange(oldOutput.file, this.#position.copied, to)) {
      this.#position = { ...this.#position, copied: this.#position.copied + bytes.length };
      await this.#sink.output.add(bytes, this.#position);
    }
  }

  /** Returns the answers that a later run need not request again, in the order of the inputs. */
  #left(): LeftAnswers | undefined {
    let size = 0;
    const leftAnswers = [...(this.answers ?? [])]
      .sort(([one], [other]) => one - other)
      .filter(([, pages]) => {
        size += pages.reduce((sum, { json, sources = '' }) => sum + json.length + sources.length, 0);
        return size <= maxLeft;
      });
    return leftAnswers.length === 0 ? undefined : leftAnswers;
  }
}
