import type { ErrorObject } from '../../../../lib/errors/extract-error.js';
import type { Jobs } from '../../../service/jobs/open-jobs.js';

export interface FailedLine {
  readonly number: number;
  /** JSON text. */
  readonly input: string;
  readonly error: Pick<ErrorObject, 'code' | 'message'>;
}

/**
 * Yields the lines of a finished job's failed inputs, in order and unchanged: all, or a limited number. Throws
 * `job_not_found`, `results_expired`.
 */
export async function* failedLines(
  jobs: Jobs,
  account: string,
  id: string,
  most = Number.POSITIVE_INFINITY,
): AsyncGenerator<Buffer, void, undefined> {
  const results = await jobs.results.open(account, id);
  const indexes = await jobs.store.listFailedInputs(account, id);
  yield* results.pick(indexes.slice(0, most));
}

export async function firstFailed(
  jobs: Jobs,
  account: string,
  id: string,
  most: number,
): Promise<FailedLine[]> {
  const indexes = await jobs.store.listFailedInputs(account, id);
  const lines: FailedLine[] = [];
  for await (const line of failedLines(jobs, account, id, most)) {
    const { input, error } = JSON.parse(line.toString()) as { input: unknown; error: FailedLine['error'] };
    lines.push({ number: (indexes[lines.length] ?? 0) + 1, input: JSON.stringify(input), error });
  }
  return lines;
}

/** Returns the failed inputs, one JSON object per line, ready to run again. */
export async function failedInputs(jobs: Jobs, account: string, id: string): Promise<Buffer> {
  const inputs: string[] = [];
  for await (const line of failedLines(jobs, account, id)) {
    const { input } = JSON.parse(line.toString()) as { input: unknown };
    inputs.push(JSON.stringify(input));
  }
  return Buffer.from(inputs.join('\n'));
}
