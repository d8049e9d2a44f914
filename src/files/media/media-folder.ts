import { createHash, randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import type { CallSignal } from '../../../lib/runtime/abort.js';
import { type FileLock, lockFile } from '../../../lib/runtime/file-lock.js';
import { moveFile } from '../../../lib/runtime/move-file.js';
import type { MediaPort } from '../../../lib/web/media-source.js';
import { writeFault } from '../batch-files/output-fault.js';
import { type DownloadedFile, download } from './download.js';
import { Manifest, type SavedLine } from './manifest.js';
import { type MediaRef, mediaName } from './media-items.js';
import { captions, pictures } from './media-kind.js';
import { PartFile } from './part-file.js';
import { spokenText } from './web-vtt.js';

export interface MediaTotals {
  /** Downloaded by this run, and their bytes. */
  readonly saved: number;
  readonly bytes: number;
  /** Already present: from an earlier run, or with the same content under another name. */
  readonly known: number;
  readonly failed: number;
}

const lockName = '.parts.lock';

const maxReceived = 10_000;

interface FolderParts {
  readonly folder: string;
  readonly source: MediaPort;
  readonly manifest: Manifest;
  readonly maxBytes: number;
  /** Held by the run whose unfinished downloads a later one continues; null for a concurrent run. */
  readonly lock: FileLock | null;
}

/** A folder of pictures, videos and captions. Each content is stored once, with a manifest line for each reference. */
export class MediaFolder {
  readonly #parts: FolderParts;
  readonly #received = new LRUCache<string, SavedLine>({ max: maxReceived });
  readonly #keeping = pLimit(1);
  /** Downloads in progress, by address and by item name, so that none starts twice. */
  readonly #underWay = new Map<string, Promise<void>>();
  #totals: MediaTotals = { saved: 0, bytes: 0, known: 0, failed: 0 };

  /** Separates the unfinished downloads of concurrent runs. */
  readonly #mark: string;

  private constructor(parts: FolderParts) {
    this.#parts = parts;
    this.#mark = parts.lock === null ? `.${randomUUID()}` : '';
  }

  static async open(folder: string, source: MediaPort, maxBytes: number): Promise<MediaFolder> {
    const manifest = await Manifest.open(folder);
    const lock = await lockFile(path.join(folder, lockName));
    return new MediaFolder({ folder, source, manifest, maxBytes, lock });
  }

  get totals(): MediaTotals {
    return this.#totals;
  }

  #count(change: Partial<MediaTotals>): void {
    const { saved, bytes, known, failed } = this.#totals;
    this.#totals = {
      saved: saved + (change.saved ?? 0),
      bytes: bytes + (change.bytes ?? 0),
      known: known + (change.known ?? 0),
      failed: failed + (change.failed ?? 0),
    };
  }

  /** Saves a picture, or records in the manifest why not. Throws the signal's reason, and disk errors. */
  save(media: MediaRef, signal: CallSignal): Promise<void> {
    const id = mediaName(media);
    const before = this.#underWay.get(id);
    const saving = (before ?? Promise.resolve()).then(() => this.#save(media, signal));
    this.#underWay.set(id, saving);
    return saving.finally(() => {
      if (this.#underWay.get(id) === saving) this.#underWay.delete(id);
    });
  }

  async #save(media: MediaRef, signal: CallSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#parts.manifest.isSaved(media)) {
      this.#count({ known: 1 });
      return;
    }
    try {
      await this.#receive(media, signal);
    } catch (error) {
      if (signal.aborted || !(error instanceof ExtractError) || error.type === 'internal') throw error;
      this.#count({ failed: 1 });
      await this.#parts.manifest.add({ ...media, error: { code: error.code, message: error.message } });
    }
  }

  async #receive(media: MediaRef, signal: CallSignal): Promise<void> {
    if (!this.#parts.source.isOnHosts(media.address)) {
      throw new ExtractError(
        'invalid_url',
        'It is not on the platform’s media hosts, and was not requested.',
      );
    }
    const savedLine = this.#received.get(media.address);
    if (savedLine !== undefined) {
      await this.#add({ ...savedLine, ...media });
      return;
    }
    const part = new PartFile(path.join(this.#parts.folder, `${mediaName(media)}${this.#mark}.part`));
    const kind = media.captions === undefined ? pictures : captions;
    const options = { source: this.#parts.source, part, kind, maxBytes: this.#parts.maxBytes, signal };
    const downloaded = await download(media.address, options).catch(async (cause: unknown) => {
      // No later run would find it.
      if (this.#parts.lock === null) await part.remove();
      throw cause;
    });
    // One at a time, so that only one of two equal pictures is saved.
    await this.#keeping(() => this.#keep(media, part, downloaded));
  }

  async #keep(
    media: MediaRef,
    part: PartFile,
    { bytes, type, ending, sha256 }: DownloadedFile,
  ): Promise<void> {
    const same = this.#parts.manifest.contentOf(sha256);
    if (same !== undefined) {
      await part.remove();
      await this.#add({ ...same, ...media });
      return;
    }
    const name = mediaName(media);
    const file = `${name}.${ending}`;
    // Before the captions, so that saved captions have their text.
    const text = media.captions === undefined ? {} : { text: await this.#writeText(part, `${name}.txt`) };
    await moveFile(part.path, path.join(this.#parts.folder, file));
    await part.complete();
    const line = { ...media, file, bytes, type, sha256, ...text };
    await this.#parts.manifest.add(line);
    this.#received.set(media.address, line);
    this.#count({ saved: 1, bytes });
  }

  async #writeText({ path: captionsFile }: PartFile, file: string): Promise<NonNullable<SavedLine['text']>> {
    const text = Buffer.from(spokenText(await readFile(captionsFile)) ?? '');
    await writeFile(path.join(this.#parts.folder, file), text).catch((cause) => {
      throw writeFault(cause);
    });
    return { file, bytes: text.length, sha256: createHash('sha256').update(text).digest('hex') };
  }

  async #add(line: SavedLine): Promise<void> {
    await this.#parts.manifest.add(line);
    this.#received.set(line.address, line);
    this.#count({ known: 1 });
  }

  async close(): Promise<void> {
    await this.#parts.manifest.close();
    this.#parts.lock?.remove();
  }
}
