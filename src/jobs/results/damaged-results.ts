import path from 'node:path';
import { StorageError } from '../../../lib/errors/storage-error.js';

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
