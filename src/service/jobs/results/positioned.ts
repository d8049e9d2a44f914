import { loopTurns } from '../../../../lib/runtime/loop-turns.js';
import { readAt } from '../../../../lib/runtime/read-at.js';
import { chunkBytes, chunkMemory } from './chunk-memory.js';
import type { ResultsHandle } from './results-files.js';

/** Writes all of the bytes at a position. */
export async function writeAt(handle: ResultsHandle, bytes: Buffer, position: number): Promise<void> {
  let done = 0;
  while (done < bytes.length) {
    const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, position + done);
    done += bytesWritten;
  }
}

/** Milliseconds that a chunk takes to be sent (measured 2026-11). */
const chunkMs = 0.5;

/** The bytes of a file from one position to another, in chunks. */
export async function* chunksAt(
  handle: Pick<ResultsHandle, 'read'>,
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

/** Appends in large writes. */
export class Appender {
  readonly #handle: ResultsHandle;
  #written: number;
  #parts: Buffer[] = [];
  #size = 0;

  constructor(handle: ResultsHandle, end: number) {
    this.#handle = handle;
    this.#written = end;
  }

  /** Where the next part will stand. */
  get end(): number {
    return this.#written + this.#size;
  }

  /** Adds bytes; a promise when they have to be waited for. */
  add(bytes: Buffer): Promise<void> | undefined {
    this.#parts.push(bytes);
    this.#size += bytes.length;
    return this.#size < chunkBytes ? undefined : this.flush();
  }

  async flush(): Promise<void> {
    if (this.#size === 0) return;
    await writeAt(this.#handle, Buffer.concat(this.#parts, this.#size), this.#written);
    this.#written += this.#size;
    this.#parts = [];
    this.#size = 0;
  }
}
