import type { BackoffPeriod } from '../../../lib/batch/backoff.js';
import { type PaidCalls, paidCalls } from '../../../lib/batch/paid-calls.js';
import {
  type BatchOptions,
  type BatchResult,
  type CallClient,
  runBatch,
} from '../../../lib/batch/run-batch.js';
import { type KnownItemsOfList, type ReadsOn, refundCalls } from '../../../lib/batch/run-input.js';
import type { Answer } from '../../../lib/call/envelope.js';
import type { Endpoint } from '../../../lib/endpoint.js';
import type { Clock } from '../../../lib/runtime/clock.js';
import { remainder } from '../../lines/line.js';
import type { Sink } from '../../lines/sink.js';
import { failedLines } from './checkpoint.js';
import { readRange } from './failed-inputs.js';
import type { Input } from './input.js';
import { type InputResult, type LineFormat, resultLines } from './line-format.js';
import type { BatchPosition, LeftAnswers } from './output.js';
import { fullRun, type RunPlan, retryRun } from './run-plan.js';
import type { RunSink } from './run-sink.js';
import { addResult, type Totals } from './totals.js';
import { workAhead } from './work-ahead.js';

/** Maximum characters of answers in a checkpoint. */
const maxLeft = 64 * 1024 * 1024;

/** An input's answer, and the line that the steps return; null if they omitted all of it. */
interface EndedInput<Item extends Input> {
  readonly result: BatchResult<Item>;
  readonly line: InputResult | null;
}

/** Writes the lines of a run in the order of the inputs. A retry copies the old output between them. */
class OutputLines<Item extends Input> implements Sink<EndedInput<Item>> {
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

/**
 * Calls per concurrent request: a third of them wait for the disk before their request and a third after it, so
 * requests never wait.
 */
export const callsPerRequest = 3;

const resultsAtOnce = 8;

/** The parts of a run that do not depend on its output. */
export interface BatchRun {
  readonly client: CallClient;
  readonly endpoint: Endpoint;
  readonly inputs: AsyncIterable<Input>;
  readonly format: LineFormat;
  readonly options: BatchOptions;
  readonly clock: Clock;
  /** Credits of earlier stages, which count against the limit. */
  readonly spentBefore?: number | undefined;
  /** Applied to every result before its line is written. */
  readonly steps?: RunSteps | undefined;
  /** Whether a checkpoint may store unchanged answers that have no line yet. Default: true. */
  readonly keepsAnswers?: boolean;
  /** Called with the totals after each line. */
  readonly onLine?: (totals: Totals) => void;
  /** Called when the platform makes the batch pause. */
  readonly onBackoff?: (period: BackoffPeriod) => void;
}

interface RunSteps {
  /** Undefined if steps do not affect which pages are read. */
  readonly readsOn?: ReadsOn | undefined;
  readonly knownItems?: KnownItemsOfList | undefined;
  /**
   * Processes a result before its line is written, so that every line of a file is complete. A later run of a file
   * resumes interrupted work; a stream gets the line anyway, because its answer is paid for.
   */
  readonly ahead?: ((result: InputResult) => Promise<'done' | 'interrupted'>) | undefined;
  /** Returns the result as it is written. */
  apply(result: InputResult): Promise<InputResult>;
}

export interface BatchOutcome {
  readonly totals: Totals;
  /** False if inputs remain: the run was stopped, or an error ended it. */
  readonly finished: boolean;
  readonly error: unknown;
}

/** Counts inputs as the run takes them, and notes their end. */
function countTaken<Item extends Input>(inputs: AsyncIterable<Item>) {
  const state = { taken: 0, exhausted: false };
  async function* pass(): AsyncGenerator<Item, void, undefined> {
    for await (const input of inputs) {
      state.taken += 1;
      yield input;
    }
    state.exhausted = true;
  }
  return { state, inputs: pass() };
}

async function runInto<Item extends Input>(
  run: BatchRun,
  inputs: AsyncIterable<Item>,
  { id, from, isResumable }: RunSink,
  paidCalls: PaidCalls | undefined,
  lines: OutputLines<Item>,
): Promise<BatchOutcome> {
  const { client, endpoint, options, clock, steps, onLine, onBackoff } = run;
  const source = countTaken(inputs);
  const outcomes = runBatch(client, endpoint, source.inputs, {
    ...options,
    id,
    spent: from.totals.charged + (run.spentBefore ?? 0),
    paid: paidCalls,
    resumable: isResumable,
    answers: lines.answers,
    clock,
    readsOn: steps?.readsOn,
    knownItems: steps?.knownItems,
    onBackoff(period) {
      // If the process is killed during a long pause, nothing is lost.
      lines.flush().catch(() => undefined);
      onBackoff?.(period);
    },
  });
  const ahead = steps?.ahead;
  const results =
    ahead === undefined
      ? outcomes
      : workAhead(outcomes, {
          work: ahead,
          atOnce: resultsAtOnce,
          onInterrupt: isResumable ? 'end' : 'give',
          // Results without a line. No later run could use a stream's.
          discard: isResumable ? undefined : (result) => refundResult(client, id, result),
        });
  let lineCount = 0;
  let error: unknown = null;
  let finished = false;
  try {
    await lines.begin();
    for await (const result of results) {
      const line = remainder(steps === undefined ? result : await steps.apply(result));
      await lines.add({ result, line });
      lineCount += 1;
      onLine?.(lines.totals);
    }
    const isComplete = source.state.exhausted && lineCount === source.state.taken;
    if (isComplete) await lines.complete();
    finished = isComplete;
  } catch (cause) {
    error = cause;
  }
  try {
    await lines.end(finished);
  } catch (cause) {
    error ??= cause;
    finished = false;
  }
  return { totals: lines.totals, finished, error };
}

/** Refunds a result without a line. A server handles its own charges. */
async function refundResult(client: CallClient, id: string, result: BatchResult<Input>): Promise<void> {
  if (client.config.baseUrl !== undefined) return;
  const books = await client.ledger();
  await refundCalls({ refund: (call) => books.refund(call) }, `${id}:${result.item.index}`, result);
}

/** Returns earlier runs' calls that count against a credit limit. A server counts its own charges. */
async function paidBefore(
  { client, endpoint, options: { limitCredits } }: BatchRun,
  { id, from: { totals }, isResumable, retry }: RunSink,
): Promise<PaidCalls | undefined> {
  if (!isResumable || limitCredits === undefined || client.config.baseUrl !== undefined) return undefined;
  const books = await client.ledger();
  const batch = { id, endpoint: endpoint.path };
  if (retry === undefined) return paidCalls(books, batch, (index) => index >= totals.inputs);
  // At the start of a retry, the totals include answered inputs, and the pages of partial lists.
  const failed = new Map<number, number>();
  for await (const { index, rest } of failedLines(retry.of.checkpoint, totals.inputs))
    failed.set(index, rest?.pages ?? 0);
  return paidCalls(books, batch, (index, page) => page > (failed.get(index) ?? Number.POSITIVE_INFINITY));
}

/** Runs a batch into a sink, from its position. Refunds results that were not written to a stream. */
export async function runToSink(run: BatchRun, sink: RunSink): Promise<BatchOutcome> {
  const { format, keepsAnswers = true } = run;
  const paidCalls = await paidBefore(run, sink);
  const into = <Item extends Input>(plan: RunPlan<Item>) =>
    runInto(run, plan.inputs, sink, paidCalls, new OutputLines(sink, format, plan, keepsAnswers));
  const { totals } = sink.from;
  return sink.retry === undefined
    ? into(fullRun(run.inputs, totals))
    : into(retryRun(run.inputs, sink.retry, totals));
}
