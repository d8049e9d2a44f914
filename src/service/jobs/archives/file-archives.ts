import { createReadStream } from 'node:fs';
import { ExtractError } from '../../../../lib/errors/extract-error.js';
import { StorageError } from '../../../../lib/errors/storage-error.js';
import type { Clock } from '../../../../lib/runtime/clock.js';
import type { PageArchive } from '../../../../lib/web/page-archive.js';
import { ArchiveWriter, unfinishedName } from '../../../files/archive/archive-writer.js';
import type { JobAtWork } from '../job.js';
import type { RunnerStore } from '../job-store.js';
import type { ResultsFiles } from '../results/results-files.js';
import type { JobArchives } from './job-archives.js';

/**
 * The archives of the jobs of a data directory: a file of records beside the lines of each. A killed process leaves it,
 * and whoever goes on with the job goes on with it.
 */
export class FileArchives implements JobArchives {
  readonly #files: ResultsFiles;
  readonly #store: Pick<RunnerStore, 'countArchive'>;
  readonly #clock: Clock;
  readonly #open = new Map<string, Promise<ArchiveWriter>>();

  constructor(files: ResultsFiles, store: Pick<RunnerStore, 'countArchive'>, clock: Clock) {
    this.#files = files;
    this.#store = store;
    this.#clock = clock;
  }

  async open({ id }: JobAtWork): Promise<PageArchive> {
    const opened = this.#open.get(id) ?? ArchiveWriter.open(this.#files.archive(id), this.#clock);
    this.#open.set(id, opened);
    try {
      return await opened;
    } catch (cause) {
      this.#open.delete(id);
      // No fault of the input, which waits: `extract forget` goes through the file, or somebody has changed it.
      if (cause instanceof ExtractError && !(cause instanceof StorageError))
        throw new StorageError('locked', cause.message, { cause });
      throw cause;
    }
  }

  async settle(id: string): Promise<void> {
    const writer = await this.#open.get(id);
    if (writer !== undefined) await this.#store.countArchive(id, await writer.sync());
  }

  async leave(id: string): Promise<void> {
    const opened = this.#open.get(id);
    this.#open.delete(id);
    await (await opened?.catch(() => undefined))?.leave();
  }

  /** Nothing more is added for any job. */
  async leaveAll(): Promise<void> {
    for (const id of [...this.#open.keys()]) await this.leave(id);
  }

  async *read(id: string): AsyncGenerator<Buffer, void, undefined> {
    try {
      yield* createReadStream(unfinishedName(this.#files.archive(id))) as AsyncIterable<Buffer>;
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') throw cause;
    }
  }
}
