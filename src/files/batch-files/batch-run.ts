import type { BackoffPeriod } from '../../../lib/batch/backoff.js';
import { type PaidCalls, paidCalls } from '../../../lib/batch/paid-calls.js';
import {
  type BatchOptions,
  type BatchResult,
  type CallClient,
  runBatch,
} from '../../../lib/batch/run-batch.js';
import { type KnownOfList, type ReadsOn, refundCalls } from '../../../lib/batch/run-input.js';
import type { Answer } from '../../../lib/call/envelope.js';
import type { Endpoint } from '../../../lib/endpoint.js';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import type { Clock } from '../../../lib/runtime/clock.js';
import { remainder } from '../../lines/line.js';
import { failedLines } from './checkpoint.js';
import { type FailedInput, failedInputs, readRange } from './failed-inputs.js';
import type { Input } from './input.js';
import { type InputResult, type LineFormat, resultLines } from './line-format.js';
import type { BatchOutput, BatchPosition, LeftAnswers } from './output.js';
import type { Sink } from './sink.js';
import { addResult, type Totals } from './totals.js';
import { workAhead } from './work-ahead.js';

/**
 * Concurrent calls per allowed request: with a third of them waiting for the disk before their request, and a third
 * after it, requests never wait.
 */
export const callsPerRequest = 3;

/** Results processed at a time before their lines are written. */
const resultsAtOnce = 8;

/** The parts of a run, whatever its output is. */
export interface BatchRun {
  readonly client: CallClient;
  readonly endpoint: Endpoint;
  readonly inputs: AsyncIterable<Input>;
  readonly format: LineFormat;
  readonly options: BatchOptions;
  readonly clock: Clock;
  /** Credits of earlier stages, which also count against the limit. */
  readonly spentBefore?: number | undefined;
  /** The steps applied to every result before its line is written. */
  readonly steps?: RunSteps | undefined;
  /** Whether answers without a line may be stored unchanged for a later run. Default: true. */
  readonly keepsAnswers?: boolean;
  /** Receives the totals after each line. */
  readonly onLine?: (totals: Totals) => void;
  /** Receives a pause of the platform that the batch waits out. */
  readonly onBackoff?: (period: BackoffPeriod) => void;
}

/** What a batch uses of its steps. */
interface RunSteps {
  /** Absent if steps do not affect which pages are read. */
  readonly readsOn?: ReadsOn | undefined;
  readonly known?: KnownOfList | undefined;
  /**
   * Processes a result before its line is written, so that every line of a file is complete. A later run of a file
   * resumes what was interrupted; in a stream the line is written anyway, because its answer has been paid for.
   */
  readonly ahead?: ((result: InputResult) => Promise<'done' | 'interrupted'>) | undefined;
  /** Returns the result as it is written. */
  apply(result: InputResult): Promise<InputResult>;
}

/** How a batch ended. */
export interface BatchOutcome {
  readonly totals: Totals;
  /** False if inputs are left: it was stopped, or an error ended it. */
  readonly finished: boolean;
  /** The error that ended it early. */
  readonly error: unknown;
}

/** Skips the inputs whose lines are written. Throws if the inputs are not those of the lines. */
async function* skipWritten(
  inputs: AsyncIterable<Input>,
  { inputs: count, mark }: Totals,
): AsyncGenerator<Input> {
  let seen = 0;
  for await (const input of inputs) {
    if (input.index >= count) yield input;
    else if (input.index === count - 1 && input.checksum !== mark) break;
    seen = input.index + 1;
  }
  if (seen < count) {
    throw new ExtractError(
      'invalid_parameter',
      `The input is not the one the batch was begun with: its first ${count} inputs are not the same.`,
    );
  }
}

/** Counts the inputs that the run takes, and records their end. */
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

/** The inputs of a run, and the older output that a retry copies between its lines. */
interface RunPlan<Item extends Input> {
  readonly inputs: AsyncIterable<Item>;
  /** Returns the range of the old output that the lines of an input replace. */
  readonly replaces: (item: Item) => { readonly from: number; readonly to: number };
  readonly oldOutput: { readonly file: string; readonly size: number } | undefined;
  /** Returns the lines of an input's list that are kept before the rest. */
  readonly earlier: (item: Item) => Promise<string>;
  /** Returns the totals of the complete output, from those of the finished run. */
  readonly finish: (totals: Totals) => Totals;
}

function fullRun(inputs: AsyncIterable<Input>, from: Totals): RunPlan<Input> {
  return {
    inputs: skipWritten(inputs, from),
    replaces: () => ({ from: 0, to: 0 }),
    oldOutput: undefined,
    earlier: async () => '',
    finish: (totals) => totals,
  };
}

function retryRun(
  inputs: AsyncIterable<Input>,
  { of, finished }: NonNullable<Sink['retry']>,
  from: Totals,
): RunPlan<FailedInput> {
  const failed = failedInputs(inputs, of, from.inputs, finished);
  return {
    inputs: failed.inputs,
    replaces: ({ old }) => ({ from: old.offset, to: old.offset + old.length }),
    oldOutput: { file: of.output, size: finished.bytes },
    async earlier({ old: { offset, rest } }) {
      const chunks: Buffer[] = [];
      for await (const chunk of readRange(of.output, offset, offset + (rest?.kept ?? 0))) chunks.push(chunk);
      return Buffer.concat(chunks).toString();
    },
    // A retry counts up to the last input that failed; the lines after it are final as well.
    finish: (totals) => ({ ...totals, ...failed.inputEnd() }),
  };
}

/** Copies the old output up to an offset. */
async function copyOldOutput(
  plan: Pick<RunPlan<Input>, 'oldOutput'>,
  output: BatchOutput,
  position: BatchPosition,
  to: number,
): Promise<BatchPosition> {
  if (plan.oldOutput === undefined) return position;
  let reached = position;
  for await (const bytes of readRange(plan.oldOutput.file, position.copied, to)) {
    reached = { ...reached, copied: reached.copied + bytes.length };
    await output.add(bytes, reached);
  }
  return reached;
}

async function writeResults<Item extends Input>(
  run: BatchRun,
  plan: RunPlan<Item>,
  sink: Sink,
): Promise<BatchOutcome> {
  const { client, endpoint, format, options, clock, steps, keepsAnswers = true, onLine, onBackoff } = run;
  const { id, output, from, isResumable } = sink;
  let position = from;
  const answers = isResumable && keepsAnswers ? new Map(sink.left) : undefined;
  const paid = await paidBefore(run, sink);
  const source = countTaken(plan.inputs);
  let written = 0;
  const answered = runBatch(client, endpoint, source.inputs, {
    ...options,
    id,
    spent: from.totals.charged + (run.spentBefore ?? 0),
    paid,
    resumable: isResumable,
    answers,
    clock,
    readsOn: steps?.readsOn,
    known: steps?.known,
    onBackoff(period) {
      // A process that is killed during a long pause then loses nothing.
      output.flush(leftOf(answers)).catch(() => undefined);
      onBackoff?.(period);
    },
  });
  const ahead = steps?.ahead;
  const results =
    ahead === undefined
      ? answered
      : workAhead(answered, {
          work: ahead,
          atOnce: resultsAtOnce,
          onInterrupt: isResumable ? 'end' : 'give',
          // Results received but not written: a stream has no later run that could use them.
          discard: isResumable ? undefined : (result) => refundResult(client, id, result),
        });
  let error: unknown = null;
  let finished = false;
  try {
    if (sink.isNew && format.head !== '') await output.add(format.head, position);
    for await (const result of results) {
      const { item } = result as { item: Item };
      const range = plan.replaces(item);
      position = await copyOldOutput(plan, output, position, range.from);
      const line = remainder(steps === undefined ? result : await steps.apply(result));
      position = { totals: addResult(position.totals, result, line !== null), copied: range.to };
      const earlier = await plan.earlier(item);
      const { text, kept } = line === null ? { text: earlier, kept: 0 } : resultLines(format, line, earlier);
      const { error: failure, rest } = result;
      const failed =
        failure === null ? undefined : { index: item.index, ...(rest && { rest: { ...rest, kept } }) };
      const wait = output.add(text, position, failed);
      if (wait !== undefined) await wait;
      written += 1;
      answers?.delete(item.index);
      onLine?.(position.totals);
    }
    finished = source.state.exhausted && written === source.state.taken;
    if (finished && plan.oldOutput !== undefined) {
      position = { ...position, totals: plan.finish(position.totals) };
      position = await copyOldOutput(plan, output, position, plan.oldOutput.size);
      // Ensures a final entry, even if nothing was copied.
      await output.add('', position);
    }
  } catch (cause) {
    error = cause;
  }
  try {
    await output.end(finished, leftOf(answers));
    await sink.close(finished);
  } catch (cause) {
    error ??= cause;
    finished = false;
    await sink.close(false);
  }
  return { totals: position.totals, finished, error };
}

/** Maximum characters of the answers in a checkpoint. */
const maxLeft = 64 * 1024 * 1024;

/**
 * Returns the answers that a later run need not request again, in the order of the inputs; undefined if there are none.
 */
function leftOf(answers: ReadonlyMap<number, readonly Answer[]> = new Map()): LeftAnswers | undefined {
  let size = 0;
  const left = [...answers]
    .sort(([one], [other]) => one - other)
    .filter(([, pages]) => {
      size += pages.reduce((sum, { json, sources = '' }) => sum + json.length + sources.length, 0);
      return size <= maxLeft;
    });
  return left.length === 0 ? undefined : left;
}

/** Refunds a result that was received and not written. A server charges its calls itself. */
async function refundResult(client: CallClient, id: string, result: BatchResult<Input>): Promise<void> {
  if (client.config.baseUrl !== undefined) return;
  const books = await client.ledger();
  await refundCalls({ refund: (call) => books.refund(call) }, `${id}:${result.item.index}`, result);
}

/** Returns the calls of earlier runs that count against a credit limit. A server charges its calls itself. */
async function paidBefore(
  { client, endpoint, options: { limitCredits } }: BatchRun,
  { id, from: { totals }, isResumable, retry }: Sink,
): Promise<PaidCalls | undefined> {
  if (!isResumable || limitCredits === undefined || client.config.baseUrl !== undefined) return undefined;
  const books = await client.ledger();
  const batch = { id, endpoint: endpoint.path };
  if (retry === undefined) return paidCalls(books, batch, (index) => index >= totals.inputs);
  // The totals at the start of a retry include the inputs that were answered, and the pages of lists with a rest to
  // come.
  const failed = new Map<number, number>();
  for await (const { index, rest } of failedLines(retry.of.checkpoint, totals.inputs))
    failed.set(index, rest?.pages ?? 0);
  return paidCalls(books, batch, (index, page) => page > (failed.get(index) ?? Number.POSITIVE_INFINITY));
}

/**
 * Runs a batch into a sink, from its position. The charges of results that were not written to a stream are refunded.
 */
export const runToSink = (run: BatchRun, sink: Sink): Promise<BatchOutcome> =>
  sink.retry === undefined
    ? writeResults(run, fullRun(run.inputs, sink.from.totals), sink)
    : writeResults(run, retryRun(run.inputs, sink.retry, sink.from.totals), sink);
