import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ExtractError } from '../../../../lib/errors/extract-error.js';
import { moveFile } from '../../../../lib/runtime/move-file.js';
import type { Traces } from '../../../../lib/suppressions/traces.js';
import { ArchiveWriter, unfinishedName } from '../../../files/archive/archive-writer.js';
import { forgetInArchive } from '../../../files/archive/forget-in-archive.js';
import type { Job } from '../job.js';

/** The error of a job without an archive. */
export const noArchive = (message?: string) => new ExtractError('archive_not_found', message);

/**
 * Writes the archive of a finished job into a file that ends in .wacz: whole, or not there. Readings that name one of the
 * traces are left out with their pages. The same records give the same bytes, whoever writes them.
 */
export async function writeJobArchive(
  { finished_at }: Pick<Job, 'finished_at'>,
  file: string,
  records: AsyncIterable<Buffer>,
  traces: Traces | null,
): Promise<void> {
  const draft = file.replace(/\.wacz$/, '.new.wacz');
  const now = Date.parse(finished_at ?? '');
  const clock = { now: () => now };
  const removeDraft = async () => {
    for (const left of [draft, unfinishedName(draft)]) await rm(left, { force: true });
  };
  await removeDraft();
  try {
    await pipeline(Readable.from(records), createWriteStream(unfinishedName(draft), { mode: 0o600 }));
    const left = traces === null ? 0 : await forgetInArchive(draft, traces, clock);
    // Whatever was taken out of it, the archive is made of the rest then.
    const summary = left > 0 ? true : await (await ArchiveWriter.open(draft, clock)).close();
    if (summary === null) throw noArchive('Nothing was asked of the platform for this job.');
    await moveFile(draft, file);
  } finally {
    await removeDraft();
  }
}
