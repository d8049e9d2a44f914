import { type FileHandle, open } from 'node:fs/promises';
import { memberContent, memberHeadBytes, memberSize } from './gzip-member.js';
import { parseRecord, type WarcRecord } from './warc-record.js';

/** A WARC file: a separate one, or part of an archive. */
export interface Segment {
  /** Name within the archive, such as `data.warc.gz`. */
  readonly name: string;
  readonly file: string;
  readonly start: number;
  readonly size: number;
}

/** Returns the WARC file that holds the records until the archive is complete. */
export const unfinishedName = (file: string): string => `${file}.warc.gz`;

export interface StoredRecord {
  readonly offset: number;
  readonly length: number;
  readonly record: WarcRecord;
  readonly member: Buffer;
}

/** More than any page with its head. */
const maxRecordBytes = 256 * 1024 * 1024;

export class SegmentReader {
  readonly segment: Segment;
  readonly #handle: FileHandle;

  private constructor(segment: Segment, handle: FileHandle) {
    this.segment = segment;
    this.#handle = handle;
  }

  static async open(segment: Segment): Promise<SegmentReader> {
    return new SegmentReader(segment, await open(segment.file));
  }

  /** Returns the record at an offset; null if there is none, or if any byte has been altered. */
  async read(offset: number): Promise<StoredRecord | null> {
    const size = memberSize(await this.#bytes(offset, memberHeadBytes));
    if (size === null || size.contentLength > maxRecordBytes) return null;
    if (size.length > maxRecordBytes || offset + size.length > this.segment.size) return null;
    const member = await this.#bytes(offset, size.length);
    const content = memberContent(member);
    const record = content === null ? null : parseRecord(content);
    return record === null ? null : { offset, length: size.length, record, member };
  }

  /** Yields the records in order, up to the first unreadable one. */
  async *records(): AsyncGenerator<StoredRecord, void, undefined> {
    for (let offset = 0; offset < this.segment.size; ) {
      const record = await this.read(offset);
      if (record === null) return;
      yield record;
      offset += record.length;
    }
  }

  /** True if the record at the offset is incomplete because its process was killed. */
  async isCut(offset: number): Promise<boolean> {
    const head = await this.#bytes(offset, memberHeadBytes);
    const size = memberSize(head);
    if (size === null) return head.length < memberHeadBytes;
    return offset + size.length > this.segment.size;
  }

  async #bytes(offset: number, length: number): Promise<Buffer> {
    const buffer = Buffer.alloc(Math.max(0, Math.min(length, this.segment.size - offset)));
    const { bytesRead } = await this.#handle.read(buffer, 0, buffer.length, this.segment.start + offset);
    return buffer.subarray(0, bytesRead);
  }

  close(): Promise<void> {
    return this.#handle.close();
  }
}
