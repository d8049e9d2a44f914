import { stat } from 'node:fs/promises';
import { invalidParameter } from '../../../lib/errors/extract-error.js';
import type { RecordedReading } from '../../../lib/web/page-evidence.js';
import { indexSegment, readingOf } from './index-segment.js';
import { type Segment, SegmentReader, type StoredRecord, unfinishedName } from './segment.js';
import { RecordIndex } from './sqlite/record-index.js';
import { AlteredEvidence, openWacz, type WaczFile } from './wacz-file.js';
import type { WarcRecord } from './warc-record.js';

export interface FoundReading {
  readonly id: string;
  readonly reading: RecordedReading;
}

/** Reads an archive: complete, left unfinished by a killed run, or both. */
export class EvidenceReader {
  /** Null for an unfinished archive. */
  readonly wacz: WaczFile | null;
  /** Bytes of an unfinished archive: complete records, and a truncated last one. Null without one. */
  readonly unfinished: { readonly bytes: number; readonly cut: number } | null;
  readonly index: RecordIndex;
  readonly #segments: SegmentReader[];

  private constructor(
    { wacz, unfinished, index }: Pick<EvidenceReader, 'wacz' | 'unfinished' | 'index'>,
    segments: SegmentReader[],
  ) {
    this.wacz = wacz;
    this.unfinished = unfinished;
    this.index = index;
    this.#segments = segments;
  }

  /** Opens an archive and verifies its digests. Throws `invalid_parameter` if it does not exist or has been altered. */
  static async open(file: string): Promise<EvidenceReader> {
    const archive = await EvidenceReader.openOrCreate(file);
    if (archive.wacz !== null || archive.unfinished !== null) return archive;
    await archive.close();
    throw invalidParameter(`No such archive: ${file}`);
  }

  /** The same for an archive to write, which need not exist. */
  static async openOrCreate(file: string): Promise<EvidenceReader> {
    const unfinishedFile = unfinishedName(file);
    const [complete, rest] = await Promise.all(
      [file, unfinishedFile].map((name) => stat(name).catch(() => null)),
    );
    const wacz = complete === null ? null : await openWacz(file);
    const parts = [
      ...(wacz?.segments ?? []),
      ...(rest ? [{ name: '', file: unfinishedFile, start: 0, size: rest.size }] : []),
    ];
    const index = await RecordIndex.open();
    const segments: SegmentReader[] = [];
    let unfinished: EvidenceReader['unfinished'] = null;
    try {
      for (const [at, segment] of parts.entries()) {
        const reader = await SegmentReader.open(segment);
        segments.push(reader);
        const bytes = await indexSegment(index, reader, at);
        const isLeft = segment.file === unfinishedFile;
        if (isLeft) unfinished = { bytes, cut: segment.size - bytes };
        if (bytes < segment.size && !(isLeft && (await reader.isCut(bytes))))
          throw new AlteredEvidence(
            segment.file,
            `byte ${bytes} of ${segment.name || 'it'} is not the start of a readable record`,
          );
      }
    } catch (error) {
      index.close();
      await Promise.all(segments.map((segment) => segment.close()));
      throw error;
    }
    return new EvidenceReader({ wacz, unfinished, index }, segments);
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

  /** Replaces the unfinished segment by a longer one, whose records are in the index. */
  async extend(segment: Segment): Promise<void> {
    const at = this.wacz?.segments.length ?? 0;
    await this.#segments[at]?.close();
    this.#segments[at] = await SegmentReader.open(segment);
  }

  async close(): Promise<void> {
    this.index.close();
    await Promise.all(this.#segments.map((segment) => segment.close()));
  }
}
