import { readFile } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { blocksOf } from './block-sums.js';
import { DamagedResults, readFailure } from './damaged-results.js';

/** The last bytes of an index with sums. */
const mark = Buffer.from('LINESUM1');
/** The number of lines, the CRC-32 of all before it, the mark. */
const tailBytes = 4 + 4 + mark.length;

/** The facts that are stored beside the lines of a finished job. */
export interface ResultsIndex {
  readonly lines: number;
  /** Where a line ends. */
  endOf(line: number): number;
  /** The CRC-32 of each block of the lines; null in an older index, which has none. */
  readonly sums: readonly number[] | null;
}

/**
 * An index as bytes. First where each line ends (64-bit floats), then the sum of each block (32 bits). Behind them the
 * number of lines (32 bits), the CRC-32 of all this, and the mark. All are little-endian. An older index holds the ends
 * alone.
 */
export function indexBytes(ends: readonly number[], sums: readonly number[]): Buffer {
  const tail = ends.length * 8 + sums.length * 4;
  const bytes = Buffer.alloc(tail + tailBytes);
  ends.forEach((end, line) => {
    bytes.writeDoubleLE(end, line * 8);
  });
  sums.forEach((sum, block) => {
    bytes.writeUInt32LE(sum, ends.length * 8 + block * 4);
  });
  bytes.writeUInt32LE(ends.length, tail);
  bytes.writeUInt32LE(crc32(bytes.subarray(0, tail + 4)), tail + 4);
  mark.copy(bytes, tail + 8);
  return bytes;
}

/** Reads the index of lines of so many bytes. Rejects `damaged` where it is not theirs, or is not there. */
export async function readIndex(file: string, linesBytes: number): Promise<ResultsIndex> {
  const bytes = await readFile(file).catch((cause: NodeJS.ErrnoException) => {
    throw readFailure(file, cause);
  });
  const index = parse(bytes, linesBytes);
  if (index === null || index.endOf(index.lines - 1) !== linesBytes) throw new DamagedResults(file);
  return index;
}

function parse(bytes: Buffer, linesBytes: number): ResultsIndex | null {
  if (bytes.length < 8 || bytes.length % 4 !== 0) return null;
  const endOf = (line: number) => (line < 0 ? 0 : bytes.readDoubleLE(line * 8));
  if (!bytes.subarray(-mark.length).equals(mark)) {
    const lines = bytes.length / 8;
    if (!Number.isInteger(lines)) return null;
    for (let line = 0; line < lines; line += 1) if (!(endOf(line) > endOf(line - 1))) return null;
    return { lines, endOf, sums: null };
  }
  const tail = bytes.length - tailBytes;
  if (tail < 8 || bytes.readUInt32LE(tail + 4) !== crc32(bytes.subarray(0, tail + 4))) return null;
  const lines = bytes.readUInt32LE(tail);
  const count = blocksOf(linesBytes);
  if (tail !== lines * 8 + count * 4) return null;
  const sums = Array.from({ length: count }, (_, block) => bytes.readUInt32LE(lines * 8 + block * 4));
  return { lines, endOf, sums };
}
