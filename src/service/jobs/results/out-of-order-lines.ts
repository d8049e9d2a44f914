import { crc32 } from 'node:zlib';
import { readAt } from '../../../../lib/runtime/read-at.js';
import type { ResultsHandle } from './results-files.js';

/** Where a line stands that waits for those before it. */
export interface OutOfOrderLine {
  readonly position: number;
  readonly length: number;
  /** The CRC-32 of the record; null in records that older versions wrote. */
  readonly sum: number | null;
}

/** Before the line of each record: index of its input and length of the line, 32 bits each. */
const headBytes = 8;
/** Set in the index of a record whose sum follows its length. */
const hasSum = 0x80000000;

type Readable = Pick<ResultsHandle, 'read'>;

function sumOf(index: number, line: Buffer): number {
  const head = Buffer.allocUnsafe(headBytes);
  head.writeUInt32LE(index, 0);
  head.writeUInt32LE(line.length, 4);
  return crc32(line, crc32(head));
}

/** The head of a line's record, and the record's sum. */
export function outOfOrderRecord(
  index: number,
  line: Buffer,
): { readonly head: Buffer; readonly sum: number } {
  const head = Buffer.allocUnsafe(headBytes + 4);
  const sum = sumOf(index, line);
  head.writeUInt32LE((index | hasSum) >>> 0, 0);
  head.writeUInt32LE(line.length, 4);
  head.writeUInt32LE(sum, 8);
  return { head, sum };
}

/** A line that waits; undefined where it is not what was written. */
export async function readOutOfOrderLine(
  handle: Readable,
  index: number,
  { position, length, sum }: OutOfOrderLine,
): Promise<Buffer | undefined> {
  const line = await readAt(handle, length, position);
  return sum === null || sum === sumOf(index, line) ? line : undefined;
}

/** A record of the file of lines that wait. */
interface OutOfOrderRecord {
  readonly index: number;
  readonly late: OutOfOrderLine;
  readonly line: Buffer;
  readonly isIntact: boolean;
}

/** The records up to a position, as far as they are there. */
export async function* readOutOfOrderRecords(
  handle: Readable,
  end: number,
): AsyncGenerator<OutOfOrderRecord, void, undefined> {
  for (let at = 0; at + headBytes <= end; ) {
    const head = await readAt(handle, headBytes, at);
    const [first, length] = [head.readUInt32LE(0), head.readUInt32LE(4)];
    const isSummed = first >= hasSum;
    const index = isSummed ? first - hasSum : first;
    const position = at + headBytes + (isSummed ? 4 : 0);
    if (position + length > end) return;
    const sum = isSummed ? (await readAt(handle, 4, at + headBytes)).readUInt32LE() : null;
    const line = await readAt(handle, length, position);
    yield {
      ...{ index, line, late: { position, length, sum } },
      isIntact: sum === null || sum === sumOf(index, line),
    };
    at = position + length;
  }
}
