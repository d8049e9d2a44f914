import type { FileHandle } from 'node:fs/promises';
import { loopTurns } from '../../../../lib/runtime/loop-turns.js';
import { readAt } from '../../../../lib/runtime/read-at.js';
import { chunkBytes, chunkMemory } from './chunk-memory.js';

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
    const chunk = await readAt(handle, length, position, chunkMemory(length));
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
      await loopTurns.next(account, chunkMs);
      const next = await iterator.next();
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    await iterator.return?.();
  }
}
