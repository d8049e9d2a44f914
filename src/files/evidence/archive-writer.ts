import { randomUUID } from 'node:crypto';
import { type FileHandle, open, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import pLimit from 'p-limit';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import { writeFailure } from '../../../lib/errors/storage-error.js';
import type { Clock } from '../../../lib/runtime/clock.js';
import { type FileLock, lockFile } from '../../../lib/runtime/file-lock.js';
import { makeFolder } from '../../../lib/runtime/make-folder.js';
import { writeAt } from '../../../lib/runtime/write-at.js';
import type { ArchivedExchange, ArchivedReading, PageArchive } from '../../../lib/web/page-archive.js';
import { exchangeRecords, fileRecord, type NewRecord, readingRecord } from './exchange-records.js';
import { gzipMember } from './gzip-member.js';
import { indexedReading, indexSegment, readingOf } from './index-segment.js';
import { type Segment, SegmentReader } from './segment.js';
import { type IndexedReading, RecordIndex } from './sqlite/record-index.js';
import { ChangedArchive, openWacz } from './wacz-file.js';
import { sha256 } from './warc-record.js';
import { software, writeWacz } from './write-wacz.js';

/** Returns the WARC file that holds the records until the archive is complete. */
export const unfinishedName = (file: string): string => `${file}.warc.gz`;

const newId = () => `urn:uuid:${randomUUID()}`;

const sizeOf = (file: string) =>
  stat(file).then(
    ({ size }) => size,
    () => null,
  );

export interface ArchiveSummary {
  readonly file: string;
  /** Exchanges added by this run. */
  readonly exchanges: number;
  /** How many of them were samples. */
  readonly samples: number;
  readonly digest: string;
}

/** What an archive is written with. */
interface ArchiveParts {
  readonly file: string;
  readonly lock: FileLock;
  readonly index: RecordIndex;
  readonly clock: Pick<Clock, 'now'>;
  /** The segments of the existing archive. */
  readonly earlier: readonly Segment[];
}

/**
 * Writes an archive. Records are appended to a WARC file next to it, which survives a killed process; `close` builds
 * the archive from it. Extending an archive leaves its existing bytes unchanged.
 */
export class ArchiveWriter implements PageArchive {
  readonly #parts: ArchiveParts;
  /** Writes one record at a time. */
  readonly #turn = pLimit(1);
  #handle: FileHandle | undefined;
  #size: number;
  #exchanges = 0;
  #samples = 0;

  private constructor(parts: ArchiveParts, size: number) {
    this.#parts = parts;
    this.#size = size;
  }

  /**
   * Opens an archive to add records. Throws `invalid_parameter` if it has been altered, or if another process is
   * writing it.
   */
  static async open(target: string, clock: Pick<Clock, 'now'>): Promise<ArchiveWriter> {
    const file = path.resolve(target);
    if (!file.endsWith('.wacz'))
      throw new ExtractError('invalid_parameter', `The archive ${target} must end in .wacz.`);
    makeFolder(path.dirname(file));
    const lock = await lockFile(`${file}.lock`);
    if (lock === null)
      throw new ExtractError('invalid_parameter', `Another process is writing the archive ${target}.`);
    let index: RecordIndex | undefined;
    try {
      index = await RecordIndex.open();
      const earlier = (await sizeOf(file)) === null ? [] : (await openWacz(file)).segments;
      const unfinished = unfinishedName(file);
      const unfinishedBytes = (await sizeOf(unfinished)) ?? 0;
      const all = [...earlier, { name: '', file: unfinished, start: 0, size: unfinishedBytes }];
      let size = 0;
      for (const [at, segment] of all.entries()) {
        if (segment.size === 0) continue;
        const reader = await SegmentReader.open(segment);
        try {
          size = await indexSegment(index, reader, at);
          if (size < segment.size && !(await reader.isCut(size)))
            throw new ChangedArchive(segment.file, `byte ${size} is not the start of a readable record`);
        } finally {
          await reader.close();
        }
      }
      return new ArchiveWriter({ file, lock, index, clock, earlier }, unfinishedBytes === 0 ? 0 : size);
    } catch (error) {
      index?.close();
      lock.remove();
      throw error;
    }
  }

  addExchange(exchange: ArchivedExchange): Promise<string> {
    return this.#turn(async () => {
      const digest = sha256(exchange.body);
      const storedBody = exchange.body.byteLength === 0 ? undefined : this.#parts.index.bodyOf(digest);
      const ids = { request: newId(), answer: newId() };
      for (const record of exchangeRecords(exchange, ids, digest, storedBody))
        await this.#append(record, null);
      this.#exchanges += 1;
      if (exchange.by === 'sample') this.#samples += 1;
      return ids.answer;
    });
  }

  addReading(reading: ArchivedReading): Promise<string> {
    return this.#turn(async () => {
      const id = newId();
      await this.#append(readingRecord(id, reading), indexedReading(reading));
      return id;
    });
  }

  /** Appends a record, or leaves the file unchanged. */
  async #append({ id, bytes, digest, index }: NewRecord, reading: IndexedReading | null): Promise<void> {
    const offset = await this.#write(bytes);
    const length = this.#size - offset;
    this.#parts.index.add({
      id,
      segment: this.#parts.earlier.length,
      offset,
      length,
      entry: index,
      digest,
      reading,
    });
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
  async close(): Promise<ArchiveSummary | null> {
    return this.#turn(async () => {
      try {
        await this.#handle?.close();
        if (this.#size === 0) return null;
        const unfinished = unfinishedName(this.#parts.file);
        const count = this.#parts.earlier.length;
        const name = count === 0 ? 'data.warc.gz' : `data-${count + 1}.warc.gz`;
        const segments = [...this.#parts.earlier, { name, file: unfinished, start: 0, size: this.#size }];
        const digest = await writeWacz(this.#parts.file, {
          ...{ segments, index: this.#parts.index, created: new Date(this.#parts.clock.now()) },
          readings: () => this.#readings(segments),
        });
        await rm(unfinished, { force: true });
        return { file: this.#parts.file, exchanges: this.#exchanges, samples: this.#samples, digest };
      } catch (cause) {
        throw this.#fault(cause);
      } finally {
        this.#parts.index.close();
        this.#parts.lock.remove();
      }
    });
  }

  async *#readings(segments: readonly Segment[]) {
    const readers = await Promise.all(segments.map((segment) => SegmentReader.open(segment)));
    try {
      let number = 0;
      for (;;) {
        const position = this.#parts.index.readingAfter(number, false);
        if (position === undefined) return;
        number = position.number;
        const record = await readers[position.segment]?.read(position.offset);
        const reading = record ? readingOf(record.record) : null;
        if (reading !== null) yield { id: position.id, reading };
      }
    } finally {
      await Promise.all(readers.map((reader) => reader.close()));
    }
  }
}
