import type { BackoffPeriod } from '../../../lib/batch/backoff.js';
import { type PaidCalls, paidCalls } from '../../../lib/batch/paid-calls.js';
import {
  type BatchOptions,
  type BatchResult,
  type CallClient,
  runBatch,
} from '../../../lib/batch/run-batch.js';
import { type KnownOfList, type ReadsOn, refundCalls } from '../../../lib/batch/run-input.js';
import type { Endpoint } from '../../../lib/endpoint.js';
import type { Clock } from '../../../lib/runtime/clock.js';
import { remainder } from '../../lines/line.js';
import { failedLines } from './checkpoint.js';
import type { Input } from './input.js';
import type { InputResult, LineFormat } from './line-format.js';
import { OutputLines } from './output-lines.js';
import { fullRun, type RunPlan, retryRun } from './run-plan.js';
import type { RunSink } from './run-sink.js';
import type { Totals } from './totals.js';
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

/** Runs inputs into their lines: calls, steps, sink. */
async function runInto<Item extends Input>(
  run: BatchRun,
  inputs: AsyncIterable<Item>,
  { id, from, isResumable }: RunSink,
  paid: PaidCalls | undefined,
  lines: OutputLines<Item>,
): Promise<BatchOutcome> {
  const { client, endpoint, options, clock, steps, onLine, onBackoff } = run;
  const source = countTaken(inputs);
  const outcomes = runBatch(client, endpoint, source.inputs, {
    ...options,
    id,
    spent: from.totals.charged + (run.spentBefore ?? 0),
    paid,
    resumable: isResumable,
    answers: lines.answers,
    clock,
    readsOn: steps?.readsOn,
    knownItems: steps?.known,
    onBackoff(period) {
      // A process that is killed during a long pause then loses nothing.
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
          // Results received but not written: a stream has no later run that could use them.
          discard: isResumable ? undefined : (result) => refundResult(client, id, result),
        });
  let written = 0;
  let error: unknown = null;
  let finished = false;
  try {
    await lines.begin();
    for await (const result of results) {
      const line = remainder(steps === undefined ? result : await steps.apply(result));
      await lines.add({ result, line });
      written += 1;
      onLine?.(lines.totals);
    }
    const isWhole = source.state.exhausted && written === source.state.taken;
    if (isWhole) await lines.complete();
    finished = isWhole;
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

/** Refunds a result that was received and not written. A server charges its calls itself. */
async function refundResult(client: CallClient, id: string, result: BatchResult<Input>): Promise<void> {
  if (client.config.baseUrl !== undefined) return;
  const books = await client.ledger();
  await refundCalls({ refund: (call) => books.refund(call) }, `${id}:${result.item.index}`, result);
}

/** Returns the calls of earlier runs that count against a credit limit. A server charges its calls itself. */
async function paidBefore(
  { client, endpoint, options: { limitCredits } }: BatchRun,
  { id, from: { totals }, isResumable, retry }: RunSink,
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
export async function runToSink(run: BatchRun, sink: RunSink): Promise<BatchOutcome> {
  const { format, keepsAnswers = true } = run;
  const paid = await paidBefore(run, sink);
  const into = <Item extends Input>(plan: RunPlan<Item>) =>
    runInto(run, plan.inputs, sink, paid, new OutputLines(sink, format, plan, keepsAnswers));
  const { totals } = sink.from;
  return sink.retry === undefined
    ? into(fullRun(run.inputs, totals))
    : into(retryRun(run.inputs, sink.retry, totals));
}
