import { rm } from 'node:fs/promises';
import path from 'node:path';
import { makeFolder } from '../../../../lib/runtime/make-folder.js';
import { namesIn } from '../../../../lib/runtime/names-in.js';
import { isEarlierFile } from './earlier-results.js';

/** Bytes of lines read at a time for another format. */
export const chunkBytes = 32 * 1024;

/** The files next to a job's rows: other formats of its results, and archives. */
export class ResultsFiles {
  readonly folder: string;

  constructor(home: string) {
    this.folder = path.join(home, 'jobs');
  }

  async prepare(): Promise<void> {
    makeFolder(this.folder);
  }

  /** The archive of an earlier version's job, whose unfinished file contains the records. */
  archive(id: string): string {
    return path.join(this.folder, `${id}.kept.wacz`);
  }

  /** The file of another format. `edition` identifies the omitted subjects. */
  download(id: string, kind: string, edition = ''): string {
    return path.join(this.folder, [id, edition, kind].filter((part) => part !== '').join('.'));
  }

  async remove(id: string): Promise<void> {
    for (const name of await namesIn(this.folder)) {
      if (name.startsWith(`${id}.`)) await rm(path.join(this.folder, name), { force: true });
    }
  }

  /** Deletes the files created from a job's lines, except edition `but`. */
  async removeDownloads(id: string, but = ''): Promise<void> {
    for (const name of await namesIn(this.folder)) {
      const file = path.join(this.folder, name);
      const isBuilt = name.startsWith(`${id}.`) && !file.startsWith(this.archive(id)) && !isEarlierFile(name);
      const isOfEdition =
        but !== '' && /^[.-]/.test(name.slice(id.length + 1 + but.length)) && name.startsWith(`${id}.${but}`);
      if (isBuilt && !isOfEdition) await rm(file, { force: true });
    }
  }

  async ids(): Promise<readonly string[]> {
    const names = await namesIn(this.folder);
    return [...new Set(names.flatMap((name) => /^(job_\w+)\./.exec(name)?.[1] ?? []))];
  }
}

export interface LinesSource {
  /** Yields the lines of a job in small chunks, between which other requests run. */
  read(id: string): AsyncIterable<Buffer>;
  /** Returns false once they were deleted. */
  isKept(id: string): Promise<boolean>;
  /** Returns a text that changes when a subject is forgotten in them; empty if none was. */
  edition(id: string): Promise<string>;
}
