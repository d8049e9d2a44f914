import { open, rm } from 'node:fs/promises';
import type { ApiClient } from '../../../../lib/remote/api-client.js';
import { moveFile } from '../../../../lib/runtime/move-file.js';
import { openFault, writeFault } from '../../../files/batch-files/output-fault.js';
import { fileKinds } from '../../../files/result-files/file-kind.js';
import { outputKindOf } from '../output-kind.js';
import { checkReplaceable } from '../replaceable-file.js';
import { UsageError } from '../usage-error.js';
import { jobPath } from './job-api.js';
import { resultLines } from './results.js';

interface SaveOptions {
  readonly output: string;
  readonly overwrite: boolean;
  readonly follow: boolean;
  readonly signal: AbortSignal;
}

/** Writes the results of a job to a file, of the kind that its name says. The file is whole, or not there. */
export async function saveResults(
  client: ApiClient,
  job: string,
  { output, overwrite, follow, signal }: SaveOptions,
): Promise<void> {
  const kind = outputKindOf(output, fileKinds);
  if (follow && kind !== 'ndjson') {
    throw new UsageError(
      'conflicting_parameters',
      `--follow writes lines, and ${kind} is made of all of them.`,
      `extract jobs wait ${job} comes before.`,
    );
  }
  await checkReplaceable(output, overwrite);
  const draft = `${output}.new`;
  const handle = await open(draft, 'w').catch((error: unknown) => {
    throw openFault(output, error);
  });
  try {
    const bytes =
      kind === 'ndjson'
        ? resultLines(client, job, follow, signal)
        : await client.open(jobPath(job, '/results'), { format: kind }, signal);
    for await (const chunk of bytes) {
      await handle.writeFile(chunk).catch((cause: unknown) => {
        throw writeFault(cause);
      });
    }
    await handle.sync();
    await handle.close();
  } catch (error) {
    await handle.close();
    await rm(draft, { force: true });
    throw error;
  }
  await moveFile(draft, output);
}
