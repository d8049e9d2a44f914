import type { Backoff } from '../../../../lib/batch/backoff.js';
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
import { type Line, removedEnd } from '../../../lines/line.js';
import { openSteps } from '../../../lines/run-steps.js';
import type { EndedInput, JobAtWork } from '../job.js';
import type { InputMemory } from '../schedules/schedule-memory.js';
import { jobPorts, type Remembered, stepsOf } from './job-steps.js';
import { type CallTimes, timedCall } from './timed-call.js';

/** Builds the line of an answered input, which is JSON text. */
function dataLine(input: string, line: Partial<Line>): Buffer {
  const { json, sources, coverage, leftOut, changed, removed } = line;
  const without = leftOut === undefined ? '' : `,"left_out":${leftOut}`;
  const since = changed === undefined ? '' : `,"changed":${changed}`;
  const located = locatedEnd({ sources, coverage });
  return Buffer.from(`{"input":${input},"data":${json}${located}${since}${removedEnd(removed)}${without}}\n`);
}

/** Characters of a failed input in its line: if the input was invalid, and otherwise. */
const [maxWrongInput, maxFailedInput] = [256, 4096];

/** Returns an input as repeated in its error line: if longer than any valid input, it is truncated to a string. */
function repeated(input: string, { type }: ExtractError): string {
  const max = type === 'invalid_request' ? maxWrongInput : maxFailedInput;
  return input.length <= max ? input : JSON.stringify({ cut: input.slice(0, max).toWellFormed() });
}

/** Builds the line of a failed input. */
export function errorLine(input: string, error: ExtractError): Buffer {
  return Buffer.from(`{"input":${repeated(input, error)},"error":${JSON.stringify(error)}}\n`);
}

/** Answers one input like any other call, for a caller whose price is reserved. */
export type CallFunction = (
  endpoint: Endpoint,
  params: Readonly<Record<string, unknown>>,
  caller: Caller,
  signal: AbortSignal,
) => Promise<Answer>;

/** A finished input, with its line. */
export interface FinishedInput extends EndedInput {
  readonly line: Buffer;
}

export interface InputAtWork {
  readonly job: JobAtWork;
  readonly index: number;
  /** JSON text. */
  readonly input: string;
  /** Undefined if the table no longer has the endpoint. */
  readonly endpoint: Endpoint | undefined;
  readonly signal: AbortSignal;
}

/** What inputs use from their surroundings. */
export interface InputPorts {
  readonly docsBase: string;
  readonly clock: Pick<Clock, 'now' | 'elapsed'>;
  readonly store: InputMemory;
}

/** Calls for an input, and passes its answer through the steps of its job. */
async function passed(
  { endpoint, job, index, input, signal }: InputAtWork,
  call: CallFunction,
  backoff: Backoff,
  ports: InputPorts,
  remembered: Remembered,
): Promise<Line> {
  if (endpoint === undefined) throw new ExtractError('endpoint_not_found');
  const { account, key, lineOptions } = job;
  const params = JSON.parse(input) as Readonly<Record<string, unknown>>;
  const id = inputId(job.id, index);
  const requested = await stepsOf(job, endpoint);
  // Sources identify the items that a platform identifies in no other way, and say when each was read.
  const needed = requested.some(({ needsSources }) => needsSources === true) ? { sources: true } : {};
  const { sources = 'sources' in params } = lineOptions;
  const steps = await openSteps(requested, jobPorts(job, index, { ...ports, endpoint, signal }, remembered), {
    sources,
  });
  try {
    const outcome = await runAnyInput(
      {
        endpoint,
        call: ({ params: page }) =>
          call(endpoint, page, { requestId: id, account, key, job: job.id }, signal),
        // The runner ends the row together with the line, and refunds what it did not cost.
        refund: undefined,
        all: false,
        backoff,
        budget: undefined,
        resumable: true,
      },
      { id, index, params: { ...(sources ? { sources } : {}), ...params, ...needed }, texts: true },
      signal,
    );
    const line = { ...outcome, item: { index, params, texts: true, fault: null, echo: input } };
    await steps.ahead?.(line);
    const rest = await steps.apply(line);
    await steps.saved(index + 1);
    return rest;
  } finally {
    await steps.close();
  }
}

/**
 * Returns the error of an input, even if it would end a batch. Throws what is not the input's fault, so that it runs
 * again later.
 */
function errorOf(error: unknown): ExtractError {
  const fault = error instanceof BatchEnd ? error.error : error;
  if (fault instanceof StorageError || isShortage(fault)) throw fault;
  if (fault instanceof ExtractError) return fault;
  return new ExtractError('internal_error', 'Something failed that should not.', { cause: error });
}

/**
 * Runs one input to its end. Null if the signal was aborted. Rejects if a store fails or resources run out, when the
 * input has not ended.
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
  const remembered: Remembered = {};
  const line = await passed(work, timedCall(call, clock, times), backoff, ports, remembered).catch(
    (error: unknown): Pick<Line, 'json' | 'error' | 'source'> => ({ json: null, error: errorOf(error) }),
  );
  const { json, source, error } = line;
  if (json !== null && source != null) {
    const ending = { status: 'ok', cached: source === 'cache', credits: callPrice(job, source) } as const;
    return { index, ...times, ...remembered, line: dataLine(input, line), ending };
  }
  if (signal.aborted || error === null) return null;
  const named = error.within(inputId(job.id, index), docsBase);
  return { index, ...times, line: errorLine(input, named), ending: { status: 'failed', code: named.code } };
}
