import { stat } from 'node:fs/promises';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import type { ArchivedReading } from '../../../lib/web/page-archive.js';
import { unfinishedName } from './archive-writer.js';
import { indexSegment, readingOf } from './index-segment.js';
import { SegmentReader, type StoredRecord } from './segment.js';
import { RecordIndex } from './sqlite/record-index.js';
import { ChangedArchive, openWacz, type WaczFile } from './wacz-file.js';
import type { WarcRecord } from './warc-record.js';

export interface FoundReading {
  readonly id: string;
  readonly reading: ArchivedReading;
}

/** Reads an archive: complete, left unfinished by a killed run, or both. */
export class ArchiveReader {
  /** Null for an unfinished archive. */
  readonly wacz: WaczFile | null;
  /** Bytes of the truncated last record of an unfinished archive; null without one. */
  readonly cutBytes: number | null;
  readonly index: RecordIndex;
  readonly #segments: readonly SegmentReader[];

  private constructor(
    wacz: WaczFile | null,
    cutBytes: number | null,
    index: RecordIndex,
    segments: readonly SegmentReader[],
  ) {
    this.wacz = wacz;
    this.cutBytes = cutBytes;
    this.index = index;
    this.#segments = segments;
  }

  /** Opens an archive and verifies its digests. Throws `invalid_parameter` if it does not exist or has been altered. */
  static async open(file: string): Promise<ArchiveReader> {
    const unfinished = unfinishedName(file);
    const [complete, rest] = await Promise.all(
      [file, unfinished].map((name) => stat(name).catch(() => null)),
    );
    if (complete === null && rest === null)
      throw new ExtractError('invalid_parameter', `No such archive: ${file}`);
    const wacz = complete === null ? null : await openWacz(file);
    const parts = [
      ...(wacz?.segments ?? []),
      ...(rest ? [{ name: '', file: unfinished, start: 0, size: rest.size }] : []),
    ];
    const index = await RecordIndex.open();
    const segments: SegmentReader[] = [];
    let cutBytes: number | null = null;
    try {
      for (const [at, segment] of parts.entries()) {
        const reader = await SegmentReader.open(segment);
        segments.push(reader);
        const bytes = await indexSegment(index, reader, at);
        const isLeft = segment.file === unfinished;
        if (isLeft) cutBytes = segment.size - bytes;
        if (bytes < segment.size && !(isLeft && (await reader.isCut(bytes))))
          throw new ChangedArchive(
            segment.file,
            `byte ${bytes} of ${segment.name || 'it'} is not the start of a readable record`,
          );
      }
    } catch (error) {
      index.close();
      await Promise.all(segments.map((segment) => segment.close()));
      throw error;
    }
    return new ArchiveReader(wacz, cutBytes, index, segments);
  }

  /** Yields all records in the order of writing. */
  async *records(): AsyncGenerator<StoredRecord, void, undefined> {
    for (const segment of this.#segments) yield* segment.records();
  }

  /** Returns the record with an ID; null if there is none. */
  async record(id: string): Promise<WarcRecord | null> {
    const position = this.index.positionOf(id);
    if (position === undefined) return null;
    const record = await this.#segments[position.segment]?.read(position.offset);
    return record?.record ?? null;
  }

  /** Returns the reading with an ID; null if there is none. */
  async reading(id: string): Promise<FoundReading | null> {
    const record = await this.record(id);
    const reading = record === null ? null : readingOf(record);
    return reading === null ? null : { id, reading };
  }

  /** Yields the readings in the order they ended; with `firstOnly`, without those that continue a list. */
  async *readings({ firstOnly = false } = {}): AsyncGenerator<FoundReading, void, undefined> {
    for (let number = 0; ; ) {
      const position = this.index.readingAfter(number, firstOnly);
      if (position === undefined) return;
      number = position.number;
      const reading = await this.reading(position.id);
      if (reading !== null) yield reading;
    }
  }

  async close(): Promise<void> {
    this.index.close();
    await Promise.all(this.#segments.map((segment) => segment.close()));
  }
}
