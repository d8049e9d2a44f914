import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Endpoint } from '../../../../lib/endpoint.js';
import { ExtractError } from '../../../../lib/errors/extract-error.js';
import { accountTurns } from '../../../../lib/runtime/account-turns.js';
import { moveFile } from '../../../../lib/runtime/move-file.js';
import { kindOfName } from '../../../files/result-files/file-kind.js';
import { writeFromLines } from '../../../files/result-files/write-file.js';
import type { Job } from '../job.js';
import type { ReturnedLines } from './unsuppressed-results.js';

/** Maximum rows of a Parquet group, which is encoded while other requests wait. */
const groupRows = 1000;

/** Writes the results of an account's finished job to a file, in the format of its name, atomically. */
export async function writeJobFile(
  account: string,
  { id, endpoint: path, finished_at, ...summary }: Job,
  file: string,
  lines: Pick<ReturnedLines, 'read'>,
  endpoints: readonly Endpoint[],
): Promise<void> {
  const kind = kindOfName(file) ?? 'ndjson';
  if (kind === 'ndjson') {
    const draft = `${file}.new`;
    try {
      await pipeline(Readable.from(lines.read()), createWriteStream(draft, { flush: true }));
      await moveFile(draft, file);
    } finally {
      await rm(draft, { force: true });
    }
  } else {
    const endpoint = endpoints.find((one) => one.path === path);
    if (endpoint === undefined) throw new ExtractError('endpoint_not_found');
    const run = { id, at: finished_at ?? '' };
    const shape = {
      endpoint,
      inputs: true,
      sources: summary.sources === true,
      onlyNew: summary.new === true,
    };
    await writeFromLines(
      { ...shape, kind, file, run, groupRows },
      () => lines.read(),
      undefined,
      () => accountTurns.next(account),
    );
  }
}
