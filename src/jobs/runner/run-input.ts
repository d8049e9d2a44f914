import type { Backoff } from '../../../lib/batch/backoff.js';
import type { Caller } from '../../../lib/call/call.js';
import type { Answer } from '../../../lib/call/envelope.js';
import type { Endpoint } from '../../../lib/endpoint.js';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import { inputId } from '../../../lib/ledger/sqlite/job-entries.js';
import { isRefusal } from '../../../lib/web/cooldown.js';
import type { EndedInput, JobAtWork } from '../job.js';
import { dataLine, errorLine } from '../results/line.js';

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

/** Tries of one input that the platform refused. */
const mostTries = 3;

/** Whether an input is tried again after the platform's rest: not once waiting has proved to be of no use. */
function triedAgain(rests: Backoff, refusal: ExtractError): boolean {
  try {
    return rests.refused(refusal);
  } catch {
    return false;
  }
}

async function answered(
  { endpoint, job, index, signal }: InputAtWork,
  params: Readonly<Record<string, unknown>>,
  ask: CallFunction,
  rests: Backoff,
): Promise<Answer> {
  if (endpoint === undefined) throw new ExtractError('endpoint_not_found');
  const caller: Caller = {
    requestId: inputId(job.id, index),
    account: job.account,
    key: job.key,
    job: job.id,
  };
  for (let tries = 1; ; tries += 1) {
    await rests.wait(signal);
    try {
      const answer = await ask(endpoint, params, caller, signal);
      rests.answered();
      return answer;
    } catch (error) {
      if (!(error instanceof ExtractError)) throw error;
      if (error.type === 'not_found') rests.answered();
      if (!isRefusal(error) || !triedAgain(rests, error) || tries === mostTries) throw error;
    }
  }
}

/** Runs one input to its end. Null when it was given up: the signal was aborted. */
export async function runInput(
  work: InputAtWork,
  ask: CallFunction,
  rests: Backoff,
  docsBase: string,
): Promise<FinishedInput | null> {
  const { index, input, job, signal } = work;
  const params = JSON.parse(input) as Readonly<Record<string, unknown>>;
  try {
    const { json, meta } = await answered(work, params, ask, rests);
    const free = meta.credits_charged === 0;
    return { index, line: dataLine(input, json), ending: { status: 'ok', cached: meta.cached, free } };
  } catch (error) {
    if (signal.aborted) return null;
    const told = (
      error instanceof ExtractError
        ? error
        : new ExtractError('internal_error', 'Something failed that should not; the request id names it.')
    ).within(inputId(job.id, index), docsBase);
    return { index, line: errorLine(input, told), ending: { status: 'failed', code: told.code } };
  }
}
