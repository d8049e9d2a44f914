import type { FileHandle } from 'node:fs/promises';

/** Reads `length` bytes at a position. Rejects if the file ends earlier. */
export async function readAt(
  handle: Pick<FileHandle, 'read'>,
  length: number,
  position: number,
): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length);
  let done = 0;
  while (done < length) {
    const { bytesRead } = await handle.read(bytes, done, length - done, position + done);
    if (bytesRead === 0) throw new Error('The file ends before what it must hold.');
    done += bytesRead;
  }
  return bytes;
}
