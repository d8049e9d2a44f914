import { createReadStream } from 'node:fs';
import { appendFile, mkdir, open, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { ErrorCode } from '../../../lib/errors/extract-error.js';
import { lockFile } from '../../../lib/runtime/file-lock.js';
import { moveFile } from '../../../lib/runtime/move-file.js';
import { ndjsonValues } from '../../output/ndjson-values.js';
import { type MediaRef, mediaName } from './media-items.js';

interface SavedFile {
  readonly file: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** A line of the manifest: the outcome for one picture, video or caption file. */
export type ManifestLine = MediaRef &
  (
    | (SavedFile & {
        readonly type: string;
        /** The plain text of captions. */
        readonly text?: SavedFile;
      })
    | { readonly error: { readonly code: ErrorCode; readonly message: string } }
  );

export type SavedLine = Extract<ManifestLine, { file: string }>;

const name = 'manifest.ndjson';

/** A killed process may have truncated the last line. */
const linesOf = (file: string) => ndjsonValues<ManifestLine>(createReadStream(file), { strict: false });

/** The lines of a folder's manifest: the latest for each file. */
export class Manifest {
  readonly #folder: string;
  readonly #file: string;
  /** IDs of saved files, and the saved line of each content. */
  readonly #saved = new Set<string>();
  readonly #contents = new Map<string, SavedLine>();
  /** True if an older line is about the same picture. */
  #superseded = false;
  readonly #failed = new Set<string>();

  private constructor(folder: string) {
    this.#folder = folder;
    this.#file = path.join(folder, name);
  }

  /** Opens the manifest of a folder, creating both if necessary. */
  static async open(folder: string): Promise<Manifest> {
    await mkdir(folder, { recursive: true });
    const manifest = new Manifest(folder);
    await manifest.#append('');
    for await (const line of linesOf(manifest.#file)) await manifest.#know(line);
    if ((await stat(manifest.#file)).size > 0) {
      // A truncated line must not run into the next.
      await manifest.#append('\n');
      manifest.#superseded = true;
    }
    return manifest;
  }

  async #know(line: ManifestLine): Promise<void> {
    const id = mediaName(line);
    if (this.#saved.has(id) || this.#failed.has(id)) this.#superseded = true;
    this.#saved.delete(id);
    this.#failed.delete(id);
    if ('error' in line) {
      this.#failed.add(id);
      return;
    }
    // A deleted file is downloaded again.
    const files = line.text === undefined ? [line] : [line, line.text];
    const there = await Promise.all(files.map((file) => this.#isThere(file)));
    if (there.includes(false)) {
      this.#failed.add(id);
      return;
    }
    this.#saved.add(id);
    this.#contents.set(line.sha256, line);
  }

  async #isThere({ file, bytes }: SavedFile): Promise<boolean> {
    const stats = await stat(path.join(this.#folder, path.basename(file))).catch(() => null);
    return stats?.size === bytes;
  }

  isSaved(media: MediaRef): boolean {
    return this.#saved.has(mediaName(media));
  }

  /** Returns the saved line of a content; undefined if there is none. */
  contentOf(sha256: string): SavedLine | undefined {
    return this.#contents.get(sha256);
  }

  async add(line: ManifestLine): Promise<void> {
    const id = mediaName(line);
    if (this.#saved.has(id) || this.#failed.has(id)) this.#superseded = true;
    this.#failed.delete(id);
    if ('error' in line) this.#failed.add(id);
    else {
      this.#saved.add(id);
      if (!this.#contents.has(line.sha256)) this.#contents.set(line.sha256, line);
    }
    await this.#append(`${JSON.stringify(line)}\n`);
  }

  /** Opened for each line, because another process may have replaced the file by a shorter one. */
  #append(text: string): Promise<void> {
    return appendFile(this.#file, text);
  }

  /** Closes it, keeping only the last line for each file. */
  async close(): Promise<void> {
    await appendFile(this.#file, '', { flush: true });
    // One process compacts it at a time, and preserves lines that others add meanwhile.
    const lock = this.#superseded ? await lockFile(`${this.#file}.lock`) : null;
    if (lock === null) return;
    try {
      while (!(await this.#compact()));
    } finally {
      lock.remove();
    }
  }

  /** Returns false, and leaves the file, if it has changed meanwhile. */
  async #compact(): Promise<boolean> {
    const file = this.#file;
    const { size } = await stat(file);
    const last = new Map<string, number>();
    let at = 0;
    for await (const line of linesOf(file)) {
      last.set(mediaName(line), at);
      at += 1;
    }
    const lastLines = new Set(last.values());
    const draft = `${file}.new`;
    await rm(draft, { force: true });
    const handle = await open(draft, 'w');
    try {
      at = 0;
      for await (const line of linesOf(file)) {
        if (lastLines.has(at)) await handle.writeFile(`${JSON.stringify(line)}\n`);
        at += 1;
      }
      await handle.sync();
    } finally {
      await handle.close();
    }
    if ((await stat(file)).size !== size) return false;
    await moveFile(draft, file);
    return true;
  }
}
