import { crc32 } from 'node:zlib';
import { readAt } from '../../../../lib/runtime/read-at.js';
import { blockBytes } from './block-sums.js';
import { chunkBytes, chunkMemory } from './chunk-memory.js';
import { DamagedResults, readFailure } from './damaged-results.js';
import type { ResultsHandle } from './results-files.js';

/** A lines file that is open, and what it must hold. */
export interface LinesFile {
  readonly handle: Pick<ResultsHandle, 'read'>;
  readonly file: string;
  readonly bytes: number;
  /** The CRC-32 of each block; null where none are kept: the bytes are given as they are. */
  readonly sums: readonly number[] | null;
}

/** Reads whole blocks around a stretch, of which each is checked. Rejects `damaged`. */
async function readBlocks(lines: LinesFile, from: number, to: number): Promise<Buffer> {
  const { handle, file, sums } = lines;
  const length = to - from;
  const chunk = await readAt(handle, length, from, chunkMemory(length)).catch(
    (cause: NodeJS.ErrnoException) => {
      throw cause.code === undefined ? new DamagedResults(file, cause) : readFailure(file, cause);
    },
  );
  if (sums === null) return chunk;
  for (let at = 0; at < chunk.length; at += blockBytes) {
    const sum = sums[(from + at) / blockBytes];
    if (crc32(chunk.subarray(at, at + blockBytes)) !== sum) throw new DamagedResults(file);
  }
  return chunk;
}

/** The bytes of a lines file from one position to another, in chunks. Rejects `damaged` before it gives wrong bytes. */
export async function* checkedBytes(
  lines: LinesFile,
  from: number,
  to: number,
): AsyncGenerator<Buffer, void, undefined> {
  if (to > lines.bytes) throw new DamagedResults(lines.file);
  for (let position = from - (from % blockBytes); position < to; ) {
    const end = Math.min(lines.bytes, position + chunkBytes, Math.ceil(to / blockBytes) * blockBytes);
    const chunk = await readBlocks(lines, position, end);
    yield chunk.subarray(Math.max(0, from - position), Math.max(0, to - position));
    position = end;
  }
}

/** Reads stretches of a lines file, whose blocks are often those of the stretch before. */
export function stretchReader(lines: LinesFile): (from: number, to: number) => Promise<Buffer> {
  let last: { readonly from: number; readonly bytes: Buffer } = { from: 0, bytes: Buffer.alloc(0) };
  return async (from, to) => {
    if (to > lines.bytes) throw new DamagedResults(lines.file);
    if (from < last.from || to > last.from + last.bytes.length) {
      const first = from - (from % blockBytes);
      const end = Math.min(lines.bytes, Math.ceil(to / blockBytes) * blockBytes);
      last = { from: first, bytes: await readBlocks(lines, first, end) };
    }
    return last.bytes.subarray(from - last.from, to - last.from);
  };
}
