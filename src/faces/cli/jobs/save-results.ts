import type { ApiClient } from '../../../../lib/remote/api-client.js';
import { fileKinds } from '../../../files/result-files/file-kind.js';
import { outputKindOf } from '../output-kind.js';
import { checkReplaceable } from '../replaceable-file.js';
import { UsageError } from '../usage-error.js';
import { writeAtomically } from '../write-atomically.js';
import { jobPath } from './job-api.js';
import { resultLines } from './results.js';

interface SaveOptions {
  readonly output: string;
  readonly overwrite: boolean;
  readonly follow: boolean;
  readonly signal: AbortSignal;
}

/** Writes the results of a job to a file atomically; the file's name determines the format. */
export async function saveResults(
  client: ApiClient,
  job: string,
  { output, overwrite, follow, signal }: SaveOptions,
): Promise<void> {
  const kind = outputKindOf(output, fileKinds);
  if (follow && kind !== 'ndjson') {
    throw new UsageError(
      'conflicting_parameters',
      `--follow writes lines as they arrive, but ${kind} needs all of them.`,
      `Run extract jobs wait ${job} first.`,
    );
  }
  await checkReplaceable(output, overwrite);
  async function* bytes() {
    if (kind === 'ndjson') yield* resultLines(client, job, follow, signal);
    else yield* await client.open(jobPath(job, '/results'), { format: kind }, signal);
  }
  await writeAtomically(output, bytes());
}
