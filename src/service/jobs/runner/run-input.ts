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
import { keepItems } from '../../../lines/line.js';
import { compare } from '../../../lines/memory/compare.js';
import { observationOf } from '../../../lines/memory/observation.js';
import { newsOf, type SeenObservation, seenObservation } from '../../../lines/memory/seen.js';
import type { EndedInput, JobAtWork } from '../job.js';
import { type InputMemory, ofInput } from '../schedules/schedule-memory.js';
import { conditionOf, type LineAnswer, selectItems, withSources } from './line-condition.js';
import { type CallTimes, timedCall } from './timed-call.js';

/** The line of an input that was answered, which is JSON text. */
function dataLine(input: string, { json, leftOut, changed, removed, ...located }: LineAnswer): Buffer {
  const without = leftOut === undefined ? '' : `,"left_out":${leftOut}`;
  const since = changed == null ? '' : `,"changed":${JSON.stringify(changed)}`;
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
  readonly signal: AbortSignal;
}

/** What inputs take from their surroundings. */
export interface InputPorts {
  readonly docsBase: string;
  readonly clock: Pick<Clock, 'now' | 'elapsed'>;
  readonly store: InputMemory;
}

/** The part of an answer that no earlier job of its schedule gave, and what is to be remembered of all of it. */
async function unseenOf(
  { job, endpoint, index }: InputAtWork & { readonly endpoint: Endpoint },
  store: InputMemory,
  params: Readonly<Record<string, unknown>>,
  outcome: Outcome & { readonly json: string },
  now: number,
): Promise<{ readonly answer: LineAnswer; readonly seen: SeenObservation }> {
  const seen = ofInput(seenObservation(endpoint, params, true, outcome, { counts: false, now }), index);
  const { known, observation } = await store.known(job.schedule ?? '', seen);
  const { isNew, changed, removed } = newsOf(observation, compare(known, observation, seen.rule));
  const { json, sources } = outcome;
  const answer = endpoint.many
    ? { ...keepItems({ json, sources }, isNew, true), removed }
    : { ...keepItems({ json, sources }, [isNew[0] === true || changed !== null], false), changed };
  return { answer, seen };
}

/**
 * How the input ends on the road of every batch. An error that would end a batch is the error of this input alone.
 */
async function outcomeOf(
  work: InputAtWork,
  call: CallFunction,
  backoff: Backoff,
  { clock, store }: Pick<InputPorts, 'clock' | 'store'>,
): Promise<
  Pick<Outcome, 'json' | 'sources' | 'coverage' | 'source' | 'error'> &
    Pick<LineAnswer, 'leftOut' | 'changed' | 'removed'> &
    Pick<EndedInput, 'seen' | 'observed'>
> {
  const { endpoint, job, index, input, signal } = work;
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
      lineOptions.new === true
        ? await unseenOf({ ...work, endpoint }, store, given, { ...outcome, json }, clock.now())
        : null;
    const unseen = news?.answer ?? { json, sources };
    // An item is new once, whether the condition is true of it or not.
    const line =
      condition === null || unseen.json === 'null'
        ? unseen
        : await selectItems(account, condition, unseen, endpoint.many);
    const isWanted = lineOptions.sources === true || 'sources' in given;
    return { ...outcome, ...line, ...(isWanted ? {} : { sources: undefined }), seen: news?.seen, observed };
  } catch (error) {
    const fault = error instanceof BatchEnd ? error.error : error;
    // No fault of the input: it is run again once the store or the machine can.
    if (fault instanceof StorageError || isShortage(fault)) throw fault;
    // An error that would end a batch, or the condition of a job that an earlier version took.
    if (fault instanceof ExtractError) return failure(fault);
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
  ports: InputPorts,
): Promise<FinishedInput | null> {
  const { index, input, job, signal } = work;
  const { docsBase, clock } = ports;
  const times: CallTimes = { at: undefined, measures: {} };
  const { json, source, error, seen, observed, ...line } = await outcomeOf(
    work,
    timedCall(call, clock, times),
    backoff,
    ports,
  );
  if (json !== null && source !== null) {
    const credits = callPrice(job, source);
    return {
      index,
      ...times,
      seen,
      observed,
      line: dataLine(input, { json, ...line }),
      ending: { status: 'ok', cached: source === 'cache', credits },
    };
  }
  if (signal.aborted || error === null) return null;
  const named = error.within(inputId(job.id, index), docsBase);
  return { index, ...times, line: errorLine(input, named), ending: { status: 'failed', code: named.code } };
}
