import { open as openFile, rm } from 'node:fs/promises';
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
  const bytes = async () =>
    kind === 'ndjson'
      ? resultLines(client, job, follow, signal)
      : client.open(jobPath(job, '/results'), { format: kind }, signal);
  await save(output, overwrite, bytes);
}

/** Writes the archive of a job to a file, which is whole, or not there. */
export async function saveArchive(
  client: ApiClient,
  job: string,
  { output, overwrite, signal }: Omit<SaveOptions, 'follow'>,
): Promise<void> {
  if (!output.endsWith('.wacz'))
    throw new UsageError('invalid_parameter', `The archive ${output} must end in .wacz.`);
  await save(output, overwrite, () => client.open(jobPath(job, '/archive'), {}, signal));
}

async function save(
  output: string,
  overwrite: boolean,
  open: () => Promise<AsyncIterable<Uint8Array>>,
): Promise<void> {
  await checkReplaceable(output, overwrite);
  const draft = `${output}.new`;
  const handle = await openFile(draft, 'w').catch((error: unknown) => {
    throw openFault(output, error);
  });
  try {
    for await (const chunk of await open()) {
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
