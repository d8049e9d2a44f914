import { type FileHandle, open, stat } from 'node:fs/promises';
import pLimit from 'p-limit';
import type { Endpoint } from '../../../../lib/endpoint.js';
import { ExtractError } from '../../../../lib/errors/extract-error.js';
import { writeFailure } from '../../../../lib/errors/storage-error.js';
import { AccountTurns } from '../../../../lib/runtime/account-turns.js';
import { type FileKind, kindOfName } from '../../../files/result-files/file-kind.js';
import type { Job } from '../job.js';
import type { JobStore } from '../job-store.js';
import { writeJobFile } from './job-file.js';
import type { LinesSource, ResultsFiles } from './results-files.js';

/** Kinds of files that results are made into. */
export type DownloadKind = Exclude<FileKind, 'ndjson'>;

/** Files that are made at once, each a group of rows a turn. */
const maxAtOnce = 4;
/** Files of one account that wait. */
const maxWaiting = 200;

const exists = (file: string) =>
  stat(file).then(
    () => true,
    () => false,
  );

/**
 * The results of finished jobs as files that people open. A file is made at its first request, those of an account one at
 * a time and beside those of others. It stays as long as the results, since clients request ranges of it.
 */
export class ResultDownloads {
  readonly #store: JobStore;
  readonly #files: Pick<ResultsFiles, 'download'>;
  readonly #lines: LinesSource;
  readonly #endpoints: readonly Endpoint[];
  readonly #turns = new AccountTurns(
    maxWaiting,
    'Too many files of results are being made. Wait for one of them.',
  );
  readonly #room = pLimit(maxAtOnce);
  readonly #making = new Map<string, Promise<void>>();

  constructor(
    store: JobStore,
    files: Pick<ResultsFiles, 'download'>,
    lines: LinesSource,
    endpoints: readonly Endpoint[],
  ) {
    this.#store = store;
    this.#files = files;
    this.#lines = lines;
    this.#endpoints = endpoints;
  }

  /**
   * The file of a job's results, open for reading. Rejects `job_not_found`, `results_expired`, and `job_not_finished`
   * while lines are missing.
   */
  async open(account: string, id: string, kind: DownloadKind): Promise<FileHandle> {
    const { lines, total } = await this.#store.readProgress(account, id);
    if (lines < total) {
      throw new ExtractError(
        'job_not_finished',
        `The results are made into ${kind} once the job has finished.`,
      );
    }
    const job = await this.#store.find(account, id);
    const file = this.#files.download(job.id, kind);
    if (!(await exists(file))) await this.#make(account, job, file);
    return open(file, 'r');
  }

  /** Makes a file, once for all who wait for it. */
  #make(account: string, job: Job, file: string): Promise<void> {
    // Each account has one in the line for room: nobody waits for all of another's.
    const make = () => this.#turns.run(account, () => this.#room(() => this.#write(job, file)));
    const making = this.#making.get(file) ?? make();
    this.#making.set(file, making);
    return making.finally(() => this.#making.delete(file));
  }

  async #write(job: Job, file: string): Promise<void> {
    if (await exists(file)) return;
    try {
      await writeJobFile(job, file, this.#lines, this.#endpoints);
    } catch (cause) {
      if (cause instanceof ExtractError) throw cause;
      throw writeFailure(`The results cannot be made into ${kindOfName(file)}`, cause);
    }
  }
}
