import { createHash, randomBytes } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import type { CallSignal } from '../../../lib/runtime/abort.js';
import { readAt } from '../../../lib/runtime/read-at.js';
import { type BucketAddress, bucketText } from './bucket-address.js';
import type { BucketClient } from './bucket-client.js';
import { BucketFault } from './bucket-fault.js';
import {
  forgetUploadState,
  readUploadState,
  type UploadedPart,
  type UploadState,
  writeUploadState,
} from './upload-state.js';

/** Bytes of each part but the last; a part is held in memory. S3 accepts 10,000 parts of at least 5 MiB. */
export const partBytes = 8 * 1024 * 1024;

export interface FileUploadOptions {
  readonly client: BucketClient;
  readonly address: BucketAddress;
  readonly type: string;
  /** The upload keeps its state next to this file. */
  readonly file: string;
}

/**
 * Uploads a local file that may still grow. Parts are sent once their bytes are final. They survive the process, and
 * are reused if the file still has the same bytes. The object is complete when `finish` resolves.
 */
export class FileUpload {
  readonly #options: FileUploadOptions;
  #state: UploadState | null = null;
  /** True once an earlier process's parts have been compared with the file. */
  #isChecked = false;
  #sending: Promise<void> | null = null;
  #final = 0;

  constructor(options: FileUploadOptions) {
    this.#options = options;
  }

  /**
   * Uploads complete parts of the first `bytes`, which are final, while the file grows. Never rejects: `finish` uploads
   * what failed.
   */
  grow(bytes: number, signal?: CallSignal): void {
    this.#final = bytes;
    if (bytes < partBytes) return;
    this.#sending ??= this.#sendFinal(signal)
      .catch(() => undefined)
      .finally(() => {
        this.#sending = null;
      });
  }

  /** Uploads the rest of the file and completes the object. Rejects with `BucketFault` or the signal's reason. */
  async finish(signal?: CallSignal): Promise<void> {
    await this.#sending;
    // An earlier process may have started the upload, and the file may have been rewritten since.
    this.#isChecked = false;
    try {
      await this.#finish(signal);
    } catch (cause) {
      if (!(cause instanceof BucketFault) || cause.status !== 404 || this.#state === null) throw cause;
      const { mark } = this.#state;
      await this.#forget();
      // The upload is complete, but its response was lost.
      if ((await this.#options.client.find(this.#options.address, signal))?.mark === mark) return;
      await this.#finish(signal);
    }
  }

  /** Aborts the upload and deletes its parts. Rejects with `BucketFault` or the signal's reason. */
  async discard(signal?: CallSignal): Promise<void> {
    await this.#sending;
    const { client, address, file } = this.#options;
    const state = this.#state ?? (await readUploadState(file));
    if (state !== null) await client.abort(address, state.upload, signal);
    await this.#forget();
  }

  async #finish(signal: CallSignal | undefined): Promise<void> {
    const { client, address, file, type } = this.#options;
    const handle = await open(file, 'r');
    try {
      const { size } = await handle.stat();
      await this.#check(handle, size);
      if (size <= partBytes) {
        await client.put(address, await readAt(handle, size, 0), type, signal);
        if (this.#state !== null) await client.abort(address, this.#state.upload, signal);
      } else {
        const state = await this.#sendUpTo(handle, size, signal);
        const parts = state.parts.map(({ etag }, at) => ({ number: at + 1, etag }));
        await client.complete(address, state.upload, parts, signal);
      }
    } finally {
      await handle.close();
    }
    await this.#forget();
  }

  async #sendFinal(signal: CallSignal | undefined): Promise<void> {
    const handle = await open(this.#options.file, 'r');
    try {
      await this.#check(handle, this.#final);
      for (;;) {
        const fullBytes = this.#final - (this.#final % partBytes);
        if (sizeOf(this.#state?.parts ?? []) >= fullBytes) return;
        await this.#sendUpTo(handle, fullBytes, signal);
      }
    } finally {
      await handle.close();
    }
  }

  /** Uploads the missing parts of the first `bytes`. */
  async #sendUpTo(handle: FileHandle, bytes: number, signal: CallSignal | undefined): Promise<UploadState> {
    const { client, address, type, file } = this.#options;
    if (this.#state === null) {
      const mark = randomBytes(16).toString('hex');
      const upload = await client.begin(address, type, mark, signal);
      this.#state = { extract_upload: 1, to: bucketText(address), upload, mark, parts: [] };
      await writeUploadState(file, this.#state);
    }
    let state: UploadState = this.#state;
    for (let from = sizeOf(state.parts); from < bytes; from = sizeOf(state.parts)) {
      const body = await readAt(handle, Math.min(partBytes, bytes - from), from);
      const number = state.parts.length + 1;
      const { etag } = await client.putPart(address, state.upload, number, body, signal);
      state = { ...state, parts: [...state.parts, { size: body.length, sha256: sha256(body), etag }] };
      this.#state = state;
      await writeUploadState(file, state);
    }
    return state;
  }

  /** Keeps the parts that still match the first `bytes` of the file. */
  async #check(handle: FileHandle, bytes: number): Promise<void> {
    if (this.#isChecked) return;
    const { address, file } = this.#options;
    const earlierState = this.#state ?? (await readUploadState(file));
    this.#state = earlierState?.to === bucketText(address) ? earlierState : null;
    if (this.#state !== null) {
      const parts: UploadedPart[] = [];
      let from = 0;
      for (const part of this.#state.parts) {
        const end = from + part.size;
        // Only the last part may be short, and then the file ends with it.
        if (end > bytes || (part.size !== partBytes && end !== bytes)) break;
        if (sha256(await readAt(handle, part.size, from)) !== part.sha256) break;
        parts.push(part);
        from = end;
      }
      this.#state = { ...this.#state, parts };
    }
    this.#isChecked = true;
  }

  async #forget(): Promise<void> {
    this.#state = null;
    await forgetUploadState(this.#options.file);
  }
}

const sizeOf = (parts: readonly UploadedPart[]) => parts.reduce((sum, { size }) => sum + size, 0);

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
