import type { Backoff } from '../../../../lib/batch/backoff.js';
import type { Outcome } from '../../../../lib/batch/outcome.js';
import { BatchEnd, runInput as callInput } from '../../../../lib/batch/run-input.js';
import type { Caller } from '../../../../lib/call/call.js';
import type { Answer } from '../../../../lib/call/envelope.js';
import type { Endpoint } from '../../../../lib/endpoint.js';
import { ExtractError } from '../../../../lib/errors/extract-error.js';
import { isShortage } from '../../../../lib/errors/shortage.js';
import { StorageError } from '../../../../lib/errors/storage-error.js';
import { inputId } from '../../../../lib/ledger/job-input.js';
import { type Clock, elapsed } from '../../../../lib/runtime/clock.js';
import type { Line } from '../../../lines/line.js';
import { openSteps } from '../../../lines/run-steps.js';
import type { Sink } from '../../../lines/sink.js';
import type { JobAtWork } from '../job.js';
import type { InputMemory } from '../schedules/schedule-memory.js';
import type { JobLine } from './job-line.js';
import { jobPorts, type Remembered, stepsOf } from './job-steps.js';

/** Answers one input like any other call. Its price is reserved. */
export type CallFunction = (
  endpoint: Endpoint,
  params: Readonly<Record<string, unknown>>,
  caller: Caller,
  signal: AbortSignal,
) => Promise<Answer>;

export interface InputAtWork {
  readonly job: JobAtWork;
  readonly index: number;
  /** JSON text. */
  readonly input: string;
  /** Undefined if the table no longer has the endpoint. */
  readonly endpoint: Endpoint | undefined;
  readonly signal: AbortSignal;
}

export interface InputPorts {
  readonly ask: CallFunction;
  readonly backoff: Backoff;
  readonly clock: Pick<Clock, 'now' | 'elapsed'>;
  readonly store: InputMemory;
}

function answerInput(
  { endpoint, job: { id: job, account, key }, index, signal }: InputAtWork & { readonly endpoint: Endpoint },
  params: Readonly<Record<string, unknown>>,
  { ask, backoff }: InputPorts,
): Promise<Outcome> {
  const id = inputId(job, index);
  return callInput(
    {
      ...{ endpoint, backoff, all: false, budget: undefined, resumable: true },
      call: ({ params: page }) => ask(endpoint, page, { requestId: id, account, key, job }, signal),
      // The sink ends the row together with the line, and refunds the difference.
      refund: undefined,
    },
    { id, index, params, texts: true },
    signal,
  );
}

/** Returns the line of an answered input after the job's steps. */
async function steppedLine(work: InputAtWork, ports: InputPorts, remembered: Remembered): Promise<Line> {
  const { endpoint, job, index, input, signal } = work;
  if (endpoint === undefined) throw new ExtractError('endpoint_not_found');
  const params = JSON.parse(input) as Readonly<Record<string, unknown>>;
  const requested = await stepsOf(job, endpoint);
  // Sources identify items without an ID of the platform, and say when each was read.
  const needed = requested.some(({ needsSources }) => needsSources === true) ? { sources: true } : {};
  const { sources = 'sources' in params } = job.lineOptions;
  const { clock, store } = ports;
  const stepPorts = jobPorts(job, index, { clock, store, endpoint, signal }, remembered);
  const steps = await openSteps(requested, stepPorts, { sources });
  try {
    const callParams = { ...(sources ? { sources } : {}), ...params, ...needed };
    const outcome = await answerInput({ ...work, endpoint }, callParams, ports);
    const line = { ...outcome, item: { index, params, texts: true, fault: null, echo: input } };
    await steps.ahead?.(line);
    const stepped = await steps.apply(line);
    await steps.saved(index + 1);
    return stepped;
  } finally {
    await steps.close();
  }
}

/**
 * Returns the error of an input, even one that would end a batch. Throws what is not the input's fault, so that it runs
 * again later.
 */
function errorOf(error: unknown): ExtractError {
  const fault = error instanceof BatchEnd ? error.error : error;
  if (fault instanceof StorageError || isShortage(fault)) throw fault;
  if (fault instanceof ExtractError) return fault;
  return new ExtractError('internal_error', 'An unexpected error occurred.', { cause: error });
}

/**
 * Runs one input of a job: its call, the steps, the rows. Adds nothing if the signal was aborted. Rejects if a store
 * fails or resources run out; the input has not ended then.
 */
export async function runInput(work: InputAtWork, rows: Sink<JobLine>, ports: InputPorts): Promise<void> {
  const { index, input: echo, signal } = work;
  const times: { -readonly [Name in 'at' | 'measures']?: JobLine[Name] } = {};
  const remembered: Remembered = {};
  // Records when the first call began, and how long the last one took.
  const ask: CallFunction = async (...args) => {
    times.at ??= ports.clock.now();
    const began = elapsed(ports.clock);
    try {
      return await ports.ask(...args);
    } finally {
      times.measures = { duration_ms: Math.max(0, Math.round(elapsed(ports.clock) - began)) };
    }
  };
  const line = await steppedLine(work, { ...ports, ask }, remembered).catch((error: unknown): Line => {
    const item = { index, echo, params: null, fault: null };
    return { item, json: null, error: errorOf(error) };
  });
  if (line.json === null && signal.aborted) return;
  await rows.add({ ...line, ...times, ...remembered });
}
