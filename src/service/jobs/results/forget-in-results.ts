import { access } from 'node:fs/promises';
import type { Traces } from '../../../../lib/suppressions/traces.js';
import { unfinishedName } from '../../../files/archive/archive-writer.js';
import { forgetInUnfinished } from '../../../files/archive/forget-in-archive.js';
import type { ResultsFiles } from './results-files.js';

/** The outcome for the files of jobs. */
export interface ForgottenFiles {
  /** Records of archives. */
  readonly records: number;
  /** Jobs whose archive a server still writes. */
  readonly running: readonly string[];
}

const isThere = (file: string) =>
  access(file).then(
    () => true,
    () => false,
  );

/**
 * Takes a subject out of the archives of all jobs of a data directory, and removes the files that were made of results.
 * `countArchive` is told the bytes of each archive that nobody writes: a forgetting that was killed may not have said them.
 */
export async function forgetInJobFiles(
  files: ResultsFiles,
  traces: Traces,
  countArchive: (id: string, bytes: number) => Promise<unknown>,
): Promise<ForgottenFiles> {
  let records = 0;
  const running: string[] = [];
  for (const id of await files.ids()) {
    const archive = files.archive(id);
    const isArchived = await isThere(unfinishedName(archive));
    const gone = isArchived ? await forgetInUnfinished(archive, traces) : 0;
    if (gone === null) running.push(id);
    else if (isArchived) await countArchive(id, await files.size(unfinishedName(archive)));
    records += gone ?? 0;
    await files.removeDownloads(id);
  }
  return { records, running };
}
