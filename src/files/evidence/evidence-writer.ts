import { randomUUID } from 'node:crypto';
import { type FileHandle, open, rm } from 'node:fs/promises';
import path from 'node:path';
import pLimit from 'p-limit';
import { ExtractError, invalidParameter } from '../../../lib/errors/extract-error.js';
import { writeFailure } from '../../../lib/errors/storage-error.js';
import type { Clock } from '../../../lib/runtime/clock.js';
import { type FileLock, lockFile } from '../../../lib/runtime/file-lock.js';
import { makeFolder } from '../../../lib/runtime/make-folder.js';
import { writeAt } from '../../../lib/runtime/write-at.js';
import type { PageEvidence, RecordedExchange, RecordedReading } from '../../../lib/web/page-evidence.js';
import { EvidenceReader } from './evidence-reader.js';
import { exchangeRecords, fileRecord, readingRecord } from './exchange-records.js';
import { gzipMember } from './gzip-member.js';
import { indexRecord } from './index-segment.js';
import { type Segment, unfinishedName } from './segment.js';
import { parseRecord, sha256, type WarcRecord } from './warc-record.js';
import { software, writeWacz } from './write-wacz.js';

const newId = () => `urn:uuid:${randomUUID()}`;

export interface EvidenceSummary {
  readonly file: string;
  /** Exchanges added by this run. */
  readonly exchanges: number;
  /** How many of them were samples. */
  readonly samples: number;
  readonly digest: string;
}

/** What an archive is written with. */
interface EvidenceParts {
  readonly file: string;
  readonly lock: FileLock;
  readonly clock: Pick<Clock, 'now'>;
  /** The existing archive, with the index of all records. */
  readonly archive: EvidenceReader;
}

/**
 * Writes an archive. Records are appended to a WARC file next to it, which survives a killed process; `close` builds
 * the archive from it. Extending an archive leaves its existing bytes unchanged.
 */
export class EvidenceWriter implements PageEvidence {
  readonly #parts: EvidenceParts;
  /** The segments of the existing archive. */
  readonly #earlier: readonly Segment[];
  /** Writes one record at a time. */
  readonly #turn = pLimit(1);
  #handle: FileHandle | undefined;
  #size: number;
  #exchanges = 0;
  #samples = 0;

  private constructor(parts: EvidenceParts) {
    this.#parts = parts;
    this.#earlier = parts.archive.wacz?.segments ?? [];
    this.#size = parts.archive.unfinished?.bytes ?? 0;
  }

  /**
   * Opens an archive to add records. Throws `invalid_parameter` if it has been altered, or if another process is
   * writing it.
   */
  static async open(target: string, clock: Pick<Clock, 'now'>): Promise<EvidenceWriter> {
    const file = path.resolve(target);
    if (!file.endsWith('.wacz')) throw invalidParameter(`The archive ${target} must end in .wacz.`);
    makeFolder(path.dirname(file));
    const lock = await lockFile(`${file}.lock`);
    if (lock === null) throw invalidParameter(`Another process is writing the archive ${target}.`);
    try {
      return new EvidenceWriter({ file, lock, clock, archive: await EvidenceReader.openOrCreate(file) });
    } catch (error) {
      lock.remove();
      throw error;
    }
  }

  addExchange(exchange: RecordedExchange): Promise<string> {
    return this.#turn(async () => {
      const digest = sha256(exchange.body);
      const storedBody =
        exchange.body.byteLength === 0 ? undefined : this.#parts.archive.index.bodyOf(digest);
      const ids = { request: newId(), answer: newId() };
      const [request, answer] = exchangeRecords(exchange, ids, digest, storedBody);
      await this.#append(answer, await this.#append(request));
      this.#exchanges += 1;
      if (exchange.by === 'sample') this.#samples += 1;
      return ids.answer;
    });
  }

  addReading(reading: RecordedReading): Promise<string> {
    return this.#turn(async () => {
      const id = newId();
      await this.#append(readingRecord(id, reading));
      return id;
    });
  }

  /** Appends a record, or leaves the file unchanged. `request` is the one that the record answers. */
  async #append(bytes: Buffer, request?: WarcRecord): Promise<WarcRecord> {
    const offset = await this.#write(bytes);
    const record = parseRecord(bytes) as WarcRecord;
    const position = { offset, length: this.#size - offset, record };
    indexRecord(this.#parts.archive.index, this.#earlier.length, position, request);
    return record;
  }

  async #write(bytes: Buffer): Promise<number> {
    try {
      if (this.#handle === undefined) {
        this.#handle = await open(unfinishedName(this.#parts.file), this.#size === 0 ? 'w' : 'r+', 0o600);
        // Drops the last record, which a killed process left unfinished.
        await this.#handle.truncate(this.#size);
      }
      if (this.#size === 0 && bytes.length > 0) {
        const head = fileRecord(newId(), new Date(this.#parts.clock.now()).toISOString(), software);
        await this.#writeMember(head);
      }
      const offset = this.#size;
      await this.#writeMember(bytes);
      return offset;
    } catch (cause) {
      await this.#handle?.truncate(this.#size).catch(() => undefined);
      throw this.#fault(cause);
    }
  }

  async #writeMember(bytes: Buffer): Promise<void> {
    const member = await gzipMember(bytes);
    await writeAt(this.#handle as FileHandle, member, this.#size);
    this.#size += member.length;
  }

  #fault(cause: unknown): unknown {
    return cause instanceof ExtractError
      ? cause
      : writeFailure(`The archive ${this.#parts.file} cannot be written`, cause);
  }

  /** Completes the archive; null, without a file, if nothing was stored. */
  async close(): Promise<EvidenceSummary | null> {
    return this.#turn(async () => {
      try {
        await this.#handle?.close();
        if (this.#size === 0) return null;
        const { file, archive, clock } = this.#parts;
        const unfinished = unfinishedName(file);
        const count = this.#earlier.length;
        const name = count === 0 ? 'data.warc.gz' : `data-${count + 1}.warc.gz`;
        const segment = { name, file: unfinished, start: 0, size: this.#size };
        await archive.extend(segment);
        const segments = [...this.#earlier, segment];
        const created = new Date(clock.now());
        const digest = await writeWacz(file, { segments, archive, created });
        await rm(unfinished, { force: true });
        return { file, exchanges: this.#exchanges, samples: this.#samples, digest };
      } catch (cause) {
        throw this.#fault(cause);
      } finally {
        await this.#parts.archive.close();
        this.#parts.lock.remove();
      }
    });
  }
}
