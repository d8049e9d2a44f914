import type { Backoff } from '../../../../lib/batch/backoff.js';
import type { Outcome } from '../../../../lib/batch/outcome.js';
import { BatchEnd, runInput as runAnyInput } from '../../../../lib/batch/run-input.js';
import type { Caller } from '../../../../lib/call/call.js';
import { locatedEnd } from '../../../../lib/call/coverage.js';
import type { Answer } from '../../../../lib/call/envelope.js';
import { callPrice } from '../../../../lib/call/price.js';
import type { Endpoint } from '../../../../lib/endpoint.js';
import { ExtractError } from '../../../../lib/errors/extract-error.js';
import { isShortage } from '../../../../lib/errors/shortage.js';
import { StorageError } from '../../../../lib/errors/storage-error.js';
import { inputId } from '../../../../lib/ledger/job-input.js';
import type { Clock } from '../../../../lib/runtime/clock.js';
import { removedEnd } from '../../../files/seen-items/removed-end.js';
import { observationOf } from '../../../lines/memory/observation.js';
import type { EndedInput, Given, JobAtWork } from '../job.js';
import { conditionOf, type LineAnswer, selectItems, withSources } from './line-condition.js';
import { newsOf, type ReadAnswer } from './line-news.js';
import { type CallTimes, timedCall } from './timed-call.js';

/** The line of an input that was answered, which is JSON text. */
function dataLine(input: string, { json, leftOut, changed, removed, ...located }: LineAnswer): Buffer {
  const without = leftOut === undefined ? '' : `,"left_out":${leftOut}`;
  const since = changed === undefined ? '' : `,"changed":${JSON.stringify(changed)}`;
  return Buffer.from(
    `{"input":${input},"data":${json}${locatedEnd(located)}${since}${removedEnd(removed)}${without}}\n`,
  );
}

/** Characters of an input that failed in its line: of one that was wrong itself, and of any other. */
const [maxWrongInput, maxFailedInput] = [256, 4096];

/** An input as the line of its error repeats it: one that is longer than what was asked can be is cut, as a text. */
function repeated(input: string, { type }: ExtractError): string {
  const max = type === 'invalid_request' ? maxWrongInput : maxFailedInput;
  return input.length <= max ? input : JSON.stringify({ cut: input.slice(0, max).toWellFormed() });
}

/** The line of an input that failed. */
export function errorLine(input: string, error: ExtractError): Buffer {
  return Buffer.from(`{"input":${repeated(input, error)},"error":${JSON.stringify(error)}}\n`);
}

/** Answers one input: the road of every call, under a caller whose price is reserved. */
export type CallFunction = (
  endpoint: Endpoint,
  params: Readonly<Record<string, unknown>>,
  caller: Caller,
  signal: AbortSignal,
) => Promise<Answer>;

/** An input that has ended, with the line that says how. */
export interface FinishedInput extends EndedInput {
  readonly line: Buffer;
}

export interface InputAtWork {
  readonly job: JobAtWork;
  readonly index: number;
  /** JSON text. */
  readonly input: string;
  /** Undefined when the table has no such row any more. */
  readonly endpoint: Endpoint | undefined;
  /** The items that earlier jobs of its schedule gave for it; null for none, or where nobody asks. */
  readonly given: Given | null;
  readonly signal: AbortSignal;
}

/** The answer as far as a schedule compares it. An answer from the middle of a list lacks the items before it. */
function readAnswer(
  given: Readonly<Record<string, unknown>>,
  { sources, prints, source, isWhole }: Outcome,
  json: string,
): ReadAnswer {
  return {
    ...{ json, sources, prints, isWhole: isWhole === true && given.cursor === undefined },
    ...(source === null ? {} : { source }),
  };
}

/**
 * How the input ends on the road of every batch. An error that would end a batch is the error of this input alone.
 */
async function outcomeOf(
  { endpoint, job, index, input, given: earlier, signal }: InputAtWork,
  call: CallFunction,
  backoff: Backoff,
  clock: Pick<Clock, 'now'>,
): Promise<
  Pick<Outcome, 'json' | 'sources' | 'coverage' | 'source' | 'error'> &
    Pick<LineAnswer, 'leftOut' | 'changed' | 'removed'> &
    Pick<EndedInput, 'given' | 'observed'>
> {
  const { account, key, lineOptions } = job;
  const given = JSON.parse(input) as Readonly<Record<string, unknown>>;
  const id = inputId(job.id, index);
  const failure = (error: ExtractError) => ({ json: null, source: null, error });
  if (endpoint === undefined) return failure(new ExtractError('endpoint_not_found'));
  try {
    const condition = await conditionOf(endpoint, lineOptions);
    const params = withSources(given, lineOptions, condition);
    const outcome = await runAnyInput(
      {
        endpoint,
        call: ({ params: page }) =>
          call(endpoint, page, { requestId: id, account, key, job: job.id }, signal),
        // The runner ends the row together with the line, and gives back what it does not cost.
        refund: undefined,
        all: false,
        backoff,
        budget: undefined,
        resumable: true,
      },
      { id, index, params, texts: true },
      signal,
    );
    const { json, sources } = outcome;
    const keepsHistory = lineOptions.history === true;
    if (json === null || (condition === null && lineOptions.new !== true && !keepsHistory)) return outcome;
    const observed = keepsHistory
      ? observationOf(endpoint, given, true, { ...outcome, json }, clock.now())
      : undefined;
    const news =
      lineOptions.new === true ? newsOf(endpoint, readAnswer(given, outcome, json), earlier) : null;
    const unseen = news?.answer ?? { json, sources };
    // An item is new once, whether the condition is true of it or not.
    const line =
      condition === null || unseen.json === 'null'
        ? unseen
        : await selectItems(account, condition, unseen, endpoint.many);
    const isWanted = lineOptions.sources === true || 'sources' in given;
    return { ...outcome, ...line, ...(isWanted ? {} : { sources: undefined }), given: news?.given, observed };
  } catch (error) {
    // The condition of a job that an earlier version took.
    if (error instanceof ExtractError) return failure(error);
    if (error instanceof BatchEnd) {
      // No fault of the input: it is run again once the store or the machine can.
      if (error.error instanceof StorageError || isShortage(error.error)) throw error.error;
      return failure(error.error);
    }
    const message = 'Something failed that should not.';
    return failure(new ExtractError('internal_error', message, { cause: error }));
  }
}

/**
 * Runs one input to its end. Null when it was given up: the signal was aborted. Rejects when a store cannot be used or
 * the machine has run short: then the input has not ended.
 */
export async function runInput(
  work: InputAtWork,
  call: CallFunction,
  backoff: Backoff,
  { docsBase, clock }: { readonly docsBase: string; readonly clock: Pick<Clock, 'now' | 'elapsed'> },
): Promise<FinishedInput | null> {
  const { index, input, job, signal } = work;
  const times: CallTimes = { at: undefined, measures: {} };
  const { json, source, error, given, observed, ...line } = await outcomeOf(
    work,
    timedCall(call, clock, times),
    backoff,
    clock,
  );
  if (json !== null && source !== null) {
    const credits = callPrice(job, source);
    return {
      index,
      ...times,
      given,
      observed,
      line: dataLine(input, { json, ...line }),
      ending: { status: 'ok', cached: source === 'cache', credits },
    };
  }
  if (signal.aborted || error === null) return null;
  const named = error.within(inputId(job.id, index), docsBase);
  return { index, ...times, line: errorLine(input, named), ending: { status: 'failed', code: named.code } };
}
