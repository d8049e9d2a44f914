import { constants } from 'node:fs';
import { type FileHandle, open, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { fileFault, StorageError } from '../../../../lib/errors/storage-error.js';
import { makeFolder } from '../../../../lib/runtime/make-folder.js';
import { namesIn } from '../../../../lib/runtime/names-in.js';
import { serialTask } from '../../../../lib/runtime/serial-task.js';

/** The members of an open file that are used. */
export type ResultsHandle = Pick<FileHandle, 'read' | 'write' | 'datasync' | 'truncate' | 'close'>;

/** Opens a file for reading and writing, making it where it is not there. Tests put a full disk in its place. */
export type OpenFile = (file: string) => Promise<ResultsHandle>;

const flags = constants.O_RDWR | constants.O_CREAT;
/** Opens it on the disk. */
export const openFile: OpenFile = (file) => open(file, flags, 0o600);

/** Bytes of lines that are read at a time, to be made into a file of another kind. */
export const chunkBytes = 32 * 1024;

/** Where the results of jobs are kept. */
export class ResultsFiles {
  readonly folder: string;
  readonly open: OpenFile;

  constructor(home: string, open: OpenFile = openFile) {
    this.folder = path.join(home, 'jobs');
    this.open = open;
  }

  async prepare(): Promise<void> {
    makeFolder(this.folder);
  }

  /** The lines in the order of the inputs. */
  lines(id: string): string {
    return path.join(this.folder, `${id}.ndjson`);
  }

  /** Lines that wait for those before them, as records. */
  late(id: string): string {
    return path.join(this.folder, `${id}.late`);
  }

  /** Where each line ends, and the sums of the lines: once they are complete. */
  index(id: string): string {
    return path.join(this.folder, `${id}.index`);
  }

  /** The sums of the lines while they are not complete. */
  sums(id: string): string {
    return path.join(this.folder, `${id}.sums`);
  }

  /** The archive whose unfinished file has the job's records. */
  archive(id: string): string {
    return path.join(this.folder, `${id}.kept.wacz`);
  }

  /** The lines made into a file of another kind. `edition` tells one by whom it leaves out. */
  download(id: string, kind: string, edition = ''): string {
    return path.join(this.folder, [id, edition, kind].filter((part) => part !== '').join('.'));
  }

  /** Bytes of a file; 0 for one that is not there. */
  async size(file: string): Promise<number> {
    const found = await stat(file).catch((cause: NodeJS.ErrnoException) => {
      if (cause.code === 'ENOENT') return undefined;
      throw cause;
    });
    return found?.size ?? 0;
  }

  async removeLate(id: string): Promise<void> {
    await rm(this.late(id), { force: true });
  }

  async removeSums(id: string): Promise<void> {
    await rm(this.sums(id), { force: true });
  }

  /** Deletes everything of a job. */
  async remove(id: string): Promise<void> {
    // The lines go first: what is made of them meanwhile is not kept.
    await rm(this.lines(id), { force: true });
    for (const name of await namesIn(this.folder)) {
      if (name.startsWith(`${id}.`)) await rm(path.join(this.folder, name), { force: true });
    }
  }

  /** Deletes the files that were made of a job's lines, but those of an edition. */
  async removeDownloads(id: string, but = ''): Promise<void> {
    const current = new Set([this.lines(id), this.late(id), this.index(id), this.sums(id)]);
    for (const name of await namesIn(this.folder)) {
      const file = path.join(this.folder, name);
      const isMade = name.startsWith(`${id}.`) && !current.has(file) && !file.startsWith(this.archive(id));
      const isOfEdition =
        but !== '' && /^[.-]/.test(name.slice(id.length + 1 + but.length)) && name.startsWith(`${id}.${but}`);
      if (isMade && !isOfEdition) await rm(file, { force: true });
    }
  }

  /** Ids of the jobs that have files. */
  async ids(): Promise<readonly string[]> {
    const names = await namesIn(this.folder);
    return [...new Set(names.flatMap((name) => /^(job_\w+)\./.exec(name)?.[1] ?? []))];
  }

  /** Makes the names of new files outlive a loss of power: of all jobs that ask meanwhile, at once. */
  readonly syncFolder = serialTask(async () => {
    const handle = await open(this.folder, 'r');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  });
}

/** Where the lines of finished jobs are. */
export interface LinesSource {
  /** The lines of a job, in small pieces: while one is worked on, other requests wait. */
  read(id: string): AsyncIterable<Buffer>;
  /** False once they were deleted. */
  isKept(id: string): Promise<boolean>;
  /** Changes when somebody was forgotten in them; empty before. */
  edition(id: string): Promise<string>;
}

/**
 * Adds the name of a job's file, and what to do, to the file system's error, so that the log says how to mend it. Any
 * other error stays as it is.
 */
export function namedFileFault(cause: unknown, remedy: string): unknown {
  const { code, path } = cause as NodeJS.ErrnoException;
  if (!(cause instanceof Error) || code === undefined || path === undefined) return cause;
  const fault = fileFault(cause);
  // These faults pass by themselves.
  if (fault === 'full' || fault === 'exhausted') return cause;
  return new StorageError(fault, `The file ${path} cannot be used (${code}). ${remedy}`, { cause });
}
