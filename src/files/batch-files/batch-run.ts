import type { BackoffPeriod } from '../../../lib/batch/backoff.js';
import { type PaidCalls, paidCalls } from '../../../lib/batch/paid-calls.js';
import {
  type BatchOptions,
  type BatchResult,
  type CallClient,
  runBatch,
} from '../../../lib/batch/run-batch.js';
import { type KnownItemsOfList, type ReadsOn, refundCalls } from '../../../lib/batch/run-input.js';
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
