import { locatedEnd } from '../../../../lib/call/coverage.js';
import { callPrice } from '../../../../lib/call/price.js';
import type { ExtractError } from '../../../../lib/errors/extract-error.js';
import { inputId } from '../../../../lib/ledger/job-input.js';
import { type Line, removedEnd } from '../../../lines/line.js';
import type { EndedInput, JobAtWork } from '../job.js';
import type { FinishedInput } from './line-store.js';

/** A line of a job after its steps, with what is recorded in the transaction that stores it. */
export interface JobLine extends Line, Omit<EndedInput, 'index' | 'ending'> {}

function dataLine({ item, json, sources, coverage, leftOut, changed, removed }: Line): Buffer {
  const without = leftOut === undefined ? '' : `,"left_out":${leftOut}`;
  const since = changed === undefined ? '' : `,"changed":${changed}`;
  const end = locatedEnd({ sources, coverage });
  return Buffer.from(`{"input":${item.echo},"data":${json}${end}${since}${removedEnd(removed)}${without}}\n`);
}

/** Maximum characters of a failed input in its line: for an invalid input, and for any other. */
const [maxWrongInput, maxFailedInput] = [256, 4096];

/** Returns an input as its error line repeats it. If longer than any valid input, it is truncated to a string. */
function repeated(input: string, { type }: ExtractError): string {
  const max = type === 'invalid_request' ? maxWrongInput : maxFailedInput;
  return input.length <= max ? input : JSON.stringify({ cut: input.slice(0, max).toWellFormed() });
}

export function errorLine(input: string, error: ExtractError): Buffer {
  return Buffer.from(`{"input":${repeated(input, error)},"error":${JSON.stringify(error)}}\n`);
}

/** Returns a line as stored, with how its input ended. A failed input is not remembered. */
export function finishedInput(
  job: JobAtWork,
  { at, measures, seen, observed, ...line }: JobLine,
  docsBase: string,
): FinishedInput {
  const { item, json, source } = line;
  const { index, echo } = item;
  if (json !== null && source != null) {
    const ending = { status: 'ok', cached: source === 'cache', credits: callPrice(job, source) } as const;
    return { index, at, measures, seen, observed, line: dataLine(line), ending };
  }
  const error = (line.error as ExtractError).within(inputId(job.id, index), docsBase);
  return {
    index,
    at,
    measures,
    line: errorLine(echo, error),
    ending: { status: 'failed', code: error.code },
  };
}
