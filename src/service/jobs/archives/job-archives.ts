import type { PageArchive } from '../../../../lib/web/page-archive.js';
import type { JobAtWork } from '../job.js';

/**
 * The port to the archives of jobs: what platforms answered to their inputs. Records stay as they were written until the
 * results of the job are deleted.
 */
export interface JobArchives {
  /** The archive of a job at work, to be added to. Rejects with a `StorageError` where it cannot be written now. */
  open(job: JobAtWork): Promise<PageArchive>;
  /** Resolves when all that was added for a job here is on the disk, and counted: before lines are kept that name it. */
  settle(job: string): Promise<void>;
  /** Nothing more is added for a job here. */
  leave(job: string): Promise<void>;
  /** The records of a job as a WARC file has them; empty where nothing was kept. */
  read(job: string): AsyncIterable<Buffer>;
}
