import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open, readFile, rm, writeFile } from 'node:fs/promises';

/** What the first response said, for a later one to continue the download. */
export interface PartOrigin {
  readonly address: string;
  /** The response's `ETag`, or its `Last-Modified`. */
  readonly validator: string;
  readonly total: number;
}

/** The received bytes of an incomplete file. */
export class PartFile {
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  get path(): string {
    return this.#file;
  }

  get #originFile(): string {
    return `${this.#file}.json`;
  }

  /** Returns the received bytes of an address, and their origin; null if the download cannot continue. */
  async resumable(address: string): Promise<{ readonly bytes: number; readonly origin: PartOrigin } | null> {
    try {
      const origin = JSON.parse(await readFile(this.#originFile, 'utf8')) as PartOrigin;
      const handle = await open(this.#file, 'r');
      const { size: bytes } = await handle.stat();
      await handle.close();
      return origin.address === address && bytes > 0 && bytes < origin.total ? { bytes, origin } : null;
    } catch {
      // Missing or truncated: the download starts over.
      return null;
    }
  }

  /** Starts over. Without a validator the download cannot be continued later. */
  async begin(origin: PartOrigin | null): Promise<FileHandle> {
    await rm(this.#originFile, { force: true });
    const handle = await open(this.#file, 'w');
    if (origin !== null) await writeFile(this.#originFile, JSON.stringify(origin));
    return handle;
  }

  async continue(): Promise<FileHandle> {
    return open(this.#file, 'a');
  }

  /** Returns the SHA-256 state after the received bytes. */
  async hash(): Promise<ReturnType<typeof createHash>> {
    const hash = createHash('sha256');
    for await (const chunk of createReadStream(this.#file)) hash.update(chunk as Buffer);
    return hash;
  }

  async remove(): Promise<void> {
    await rm(this.#originFile, { force: true });
    await rm(this.#file, { force: true });
  }

  /** Deletes the origin once the file is complete. */
  async complete(): Promise<void> {
    await rm(this.#originFile, { force: true });
  }
}
