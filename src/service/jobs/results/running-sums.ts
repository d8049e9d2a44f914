import { readFile } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { readAt } from '../../../../lib/runtime/read-at.js';
import { type BlockSums, blockBytes, blocksOf } from './block-sums.js';
import { writeAt } from './positioned.js';
import type { ResultsFiles, ResultsHandle } from './results-files.js';

/** A record a block: how many of its bytes are summed, and their CRC-32. */
const recordBytes = 8;

/**
 * Keeps the sums of a job's lines from a position on, for the process that takes the job up. They are not synced, and
 * a disk without room for them holds nothing up. Bytes without a sum are not checked.
 */
export async function writeRunningSums(
  files: ResultsFiles,
  id: string,
  sums: BlockSums,
  from: number,
): Promise<void> {
  const first = Math.floor(from / blockBytes);
  const count = blocksOf(sums.bytes);
  const bytes = Buffer.alloc((count - first) * recordBytes);
  for (let block = first; block < count; block += 1) {
    const at = (block - first) * recordBytes;
    bytes.writeUInt32LE(Math.min(blockBytes, sums.bytes - block * blockBytes), at);
    bytes.writeUInt32LE(sums.values[block] ?? 0, at + 4);
  }
  try {
    const handle = await files.open(files.sums(id));
    try {
      await writeAt(handle, bytes, first * recordBytes);
    } finally {
      await handle.close();
    }
  } catch {
    // The lines themselves are safe.
  }
}

/** Up to which byte an unfinished job has the lines that were written, as far as sums were kept. */
export async function intactBytes(
  files: ResultsFiles,
  id: string,
  read: BlockSums,
  handle: Pick<ResultsHandle, 'read'>,
): Promise<number> {
  const records = await readFile(files.sums(id)).catch(() => Buffer.alloc(0));
  for (let block = 0; (block + 1) * recordBytes <= records.length; block += 1) {
    const from = block * blockBytes;
    const [length, sum] = [
      records.readUInt32LE(block * recordBytes),
      records.readUInt32LE(block * recordBytes + 4),
    ];
    const available = Math.min(blockBytes, read.bytes - from);
    // The record is of a later moment than the books, as in a backup, or did not reach the disk.
    if (length === 0 || length > available) continue;
    const found = length === available ? read.values[block] : crc32(await readAt(handle, length, from));
    if (found !== sum) return from;
  }
  return read.bytes;
}
