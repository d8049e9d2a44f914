import path from 'node:path';
import { fileFault, StorageError } from '../../../../lib/errors/storage-error.js';

/** The fault of a job's file that does not hold what was written to it. */
export class DamagedResults extends StorageError {
  /** The file's name in the folder of the jobs. */
  readonly file: string;
  readonly job: string;

  constructor(
    file: string,
    cause?: unknown,
    remedy = 'Put the file back from a backup, or run the inputs again as a new job.',
  ) {
    const name = path.basename(file);
    const job = name.replace(/\..*$/, '');
    super(
      'damaged',
      `The results of the job ${job} are damaged: jobs/${name} of the data directory does not hold what was written to it. ${remedy}`,
      { cause },
    );
    this.file = name;
    this.job = job;
  }
}

/** The file system's error for a job's file that cannot be read, with its name and what to do. */
export function readFailure(file: string, cause: NodeJS.ErrnoException): unknown {
  const { code } = cause;
  if (code === undefined) return cause;
  if (code === 'ENOENT') return new DamagedResults(file, cause);
  const fault = fileFault(cause);
  const next =
    fault === 'exhausted' ? 'Ask again in a moment.' : 'Check the disk and the permissions, or move it away.';
  const name = path.basename(file);
  return new StorageError(fault, `The results of the job cannot be read: jobs/${name} (${code}). ${next}`, {
    cause,
  });
}
