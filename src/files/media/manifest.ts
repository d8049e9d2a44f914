import { createReadStream } from 'node:fs';
import { appendFile, mkdir, open, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { ErrorCode } from '../../../lib/errors/extract-error.js';
import { lockFile } from '../../../lib/runtime/file-lock.js';
import { moveFile } from '../../../lib/runtime/move-file.js';
import { jsonOf } from '../../output/json-text.js';
import { textLines } from '../result-files/answer-lines.js';
import { type MediaRef, mediaName } from './media-items.js';

interface SavedFile {
  readonly file: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** A line of the manifest: what became of one picture, video or file of captions. */
export type ManifestLine = MediaRef &
  (
    | (SavedFile & {
        readonly type: string;
        /** The words of captions alone, in a file beside them. */
        readonly text?: SavedFile;
      })
    | { readonly error: { readonly code: ErrorCode; readonly message: string } }
  );

/** A line of what is there. */
export type SavedLine = Extract<ManifestLine, { file: string }>;

const name = 'manifest.ndjson';

/** A line of the manifest; null for the last line of a killed process, which may be cut off. */
const parseLine = (line: string) => (jsonOf(line) ?? null) as ManifestLine | null;

/** The lines of a folder's manifest: one for each picture and video, the last that was written about it. */
export class Manifest {
  readonly #folder: string;
  readonly #file: string;
  /** Ids of what is saved, and the saved line of each content. */
  readonly #saved = new Set<string>();
  readonly #contents = new Map<string, SavedLine>();
  /** True when an older line says something about the same picture. */
  #superseded = false;
  readonly #failed = new Set<string>();

  private constructor(folder: string) {
    this.#folder = folder;
    this.#file = path.join(folder, name);
  }

  /** Opens the manifest of a folder, making both where they are not there. */
  static async open(folder: string): Promise<Manifest> {
    await mkdir(folder, { recursive: true });
    const manifest = new Manifest(folder);
    await manifest.#append('');
    for await (const lines of textLines(createReadStream(manifest.#file))) {
      for (const line of lines) {
        const known = parseLine(line);
        if (known !== null) await manifest.#know(known);
      }
    }
    if ((await stat(manifest.#file)).size > 0) {
      // A line that was cut off must not run into the next.
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
    // A file that was taken away is fetched again.
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
    const found = await stat(path.join(this.#folder, path.basename(file))).catch(() => null);
    return found?.size === bytes;
  }

  /** True where the file of a picture is there. */
  isSaved(media: MediaRef): boolean {
    return this.#saved.has(mediaName(media));
  }

  /** The saved line of a content; undefined where there is none. */
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

  /** Opens it each time: another process may have put a shorter one in its place. */
  #append(text: string): Promise<void> {
    return appendFile(this.#file, text);
  }

  /** Closes it, with a line for each picture: the last one. */
  async close(): Promise<void> {
    await appendFile(this.#file, '', { flush: true });
    // Nobody else compacts it at the same time, and what others add meanwhile stays.
    const lock = this.#superseded ? await lockFile(`${this.#file}.lock`) : null;
    if (lock === null) return;
    try {
      while (!(await this.#compact()));
    } finally {
      lock.remove();
    }
  }

  /** False where the file has changed meanwhile, which stays as it is. */
  async #compact(): Promise<boolean> {
    const file = this.#file;
    const { size } = await stat(file);
    const last = new Map<string, number>();
    let at = 0;
    for await (const lines of textLines(createReadStream(file))) {
      for (const line of lines) {
        const known = parseLine(line);
        if (known !== null) last.set(mediaName(known), at);
        at += 1;
      }
    }
    const wanted = new Set(last.values());
    const draft = `${file}.new`;
    await rm(draft, { force: true });
    const handle = await open(draft, 'w');
    try {
      at = 0;
      for await (const lines of textLines(createReadStream(file))) {
        const from = at;
        const wantedLines = lines.filter((_, index) => wanted.has(from + index));
        at += lines.length;
        if (wantedLines.length > 0) await handle.writeFile(`${wantedLines.join('\n')}\n`);
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
