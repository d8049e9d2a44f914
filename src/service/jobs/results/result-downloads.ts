import { existsSync } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import path from 'node:path';
import pLimit from 'p-limit';
import type { Endpoint } from '../../../../lib/endpoint.js';
import { ExtractError } from '../../../../lib/errors/extract-error.js';
import { writeFailure } from '../../../../lib/errors/storage-error.js';
import { accountTurns } from '../../../../lib/runtime/account-turns.js';
import type { FileKind } from '../../../files/result-files/file-kind.js';
import type { Job } from '../job.js';
import type { StoredJobs } from '../stored-jobs.js';
import { type ArchivedRecords, writeEarlierArchive } from './earlier-archives.js';
import { writeJobFile } from './job-file.js';
import type { ResultsFiles } from './results-files.js';
import type { LinesToReturn, ReturnedLines } from './unsuppressed-results.js';

/** The formats of results, and the archive of an earlier version's job. */
export type DownloadKind = Exclude<FileKind, 'ndjson'> | 'wacz';

export interface Download {
  readonly handle: FileHandle;
  /** Identifies the subjects omitted from the file. */
  readonly edition: string;
}

/** Maximum files created concurrently, one group of rows per turn each. */
const maxConcurrent = 4;
const files = {
  name: 'files of results',
  maxWaiting: 200,
  refusal: 'Too many result files are being created. Try again when one of them is done.',
};

/**
 * The results of finished jobs as files. Files are built on first request, one at a time per account, and last as long
 * as the results, because clients request ranges of them. Later suppressions lead to a new file.
 */
export class ResultDownloads {
  readonly #store: StoredJobs;
  readonly #files: Pick<ResultsFiles, 'download'>;
  readonly #lines: LinesToReturn;
  readonly #archives: Pick<ArchivedRecords, 'read'>;
  readonly #endpoints: readonly Endpoint[];
  readonly #room = pLimit(maxConcurrent);
  readonly #making = new Map<string, Promise<void>>();

  constructor(
    store: StoredJobs,
    files: Pick<ResultsFiles, 'download'>,
    lines: LinesToReturn,
    archives: Pick<ArchivedRecords, 'read'>,
    endpoints: readonly Endpoint[],
  ) {
    this.#store = store;
    this.#files = files;
    this.#lines = lines;
    this.#archives = archives;
    this.#endpoints = endpoints;
  }

  /**
   * Opens the file of a job's results, or its archive. Rejects `job_not_found`, `results_expired`, `archive_not_found`,
   * and `job_not_finished` while lines are missing.
   */
  async open(account: string, id: string, kind: DownloadKind): Promise<Download> {
    const job = await this.#store.find(account, id);
    const { lines, total } = await this.#store.readProgress(account, id);
    if (lines < total) {
      const what = kind === 'wacz' ? 'The archive is available' : `The results are available as ${kind}`;
      throw new ExtractError('job_not_finished', `${what} once the job has finished.`);
    }
    const jobLines = await this.#lines.open(job);
    const { edition } = jobLines;
    const file = this.#files.download(job.id, kind, edition);
    if (!existsSync(file)) await this.#make(account, job, jobLines, file);
    return { handle: await open(file, 'r'), edition };
  }

  /** Creates a file once for all requests that wait for it. */
  #make(account: string, job: Job, lines: ReturnedLines, file: string): Promise<void> {
    // Only one download per account waits for a slot, so that accounts take turns.
    const make = () =>
      accountTurns.run(files, account, () => this.#room(() => this.#write(account, job, lines, file)));
    const making = this.#making.get(file) ?? make();
    this.#making.set(file, making);
    return making.finally(() => this.#making.delete(file));
  }

  async #write(account: string, job: Job, lines: ReturnedLines, file: string): Promise<void> {
    if (existsSync(file)) return;
    const { isKept } = this.#lines;
    try {
      if (file.endsWith('.wacz'))
        await writeEarlierArchive(job, file, this.#archives.read(job.id), lines.traces);
      else await writeJobFile(account, job, file, lines, this.#endpoints);
      // If the results were deleted meanwhile, so is the file.
      if (!(await isKept(job.id))) await rm(file, { force: true });
    } catch (cause) {
      if (cause instanceof ExtractError) throw cause;
      throw writeFailure(`The results cannot be written as ${path.extname(file).slice(1)}`, cause);
    }
  }
}
