import type { FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { accountTurns } from '../../../../lib/runtime/account-turns.js';
import { readAt } from '../../../../lib/runtime/read-at.js';

/**
 * Bytes that are read or written at once. A turn of the event loop moves them, and takes one new connection: beside 200
 * downloads those waited for 95 ms with a megabyte, and for 52 with this (2026-11).
 */
const chunkBytes = 256 * 1024;
/** Milliseconds that a chunk takes to be sent (measured 2026-11). */
const chunkMs = 0.5;

/** The bytes of a file from one position to another, in chunks. */
export async function* chunksAt(
  handle: Pick<FileHandle, 'read'>,
  from: number,
  to: number,
): AsyncGenerator<Buffer, void, undefined> {
  for (let position = from; position < to; ) {
    const length = Math.min(chunkBytes, to - position);
    const chunk = await readAt(handle, length, position);
    position += chunk.length;
    yield chunk;
  }
}

/**
 * The same chunks, of which a turn of the event loop moves but a few, whoever reads them: in turns between accounts, then
 * between the downloads of each. With one for each of 200 downloads a turn, a new connection waited six seconds (measured
 * 2026-11).
 */
export async function* inTurns(
  account: string,
  chunks: AsyncIterable<Buffer>,
): AsyncGenerator<Buffer, void, undefined> {
  const iterator = chunks[Symbol.asyncIterator]();
  try {
    for (;;) {
      await accountTurns.next(account, chunkMs);
      const next = await iterator.next();
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    await iterator.return?.();
  }
}

/** The same chunks as the body of a response. */
export const bodyOf = (account: string, chunks: AsyncIterable<Buffer>): Readable =>
  Readable.from(inTurns(account, chunks), { objectMode: false });
