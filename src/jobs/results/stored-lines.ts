import { type FileHandle, open } from 'node:fs/promises';
import type { Extent } from '../job.js';
import { chunksAt, readAt } from './positioned.js';
import type { ResultsFiles } from './results-files.js';
import { LostLines, recordHead } from './results-writer.js';

/** A line of a job's results, with its line feed. */
export interface StoredLine {
  /** Index of its input. */
  readonly index: number;
  readonly line: string;
}

const lineFeed = 0x0a;

/**
 * The lines that a job has in its files, as far as its extent says. First those in the order of their inputs, then
 * those that wait for others. Rejects `LostLines` where the files hold less.
 */
export async function* storedLines(
  files: ResultsFiles,
  id: string,
  extent: Extent,
): AsyncGenerator<StoredLine, void, undefined> {
  if (extent.bytes > 0) yield* orderedLines(files.lines(id), extent);
  if (extent.lateBytes > 0) yield* lateLines(files.late(id), extent);
}

async function* orderedLines(
  file: string,
  { lines, bytes }: Extent,
): AsyncGenerator<StoredLine, void, undefined> {
  const handle = await openStored(file, bytes);
  try {
    let index = 0;
    let rest = Buffer.alloc(0);
    for await (const chunk of chunksAt(handle, 0, bytes)) {
      const text = Buffer.concat([rest, chunk]);
      let from = 0;
      for (let at = text.indexOf(lineFeed); at >= 0; at = text.indexOf(lineFeed, from)) {
        yield { index, line: text.toString('utf8', from, at + 1) };
        index += 1;
        from = at + 1;
      }
      rest = text.subarray(from);
    }
    if (index !== lines || rest.length > 0)
      throw new LostLines(`${file} holds other lines than were written to it.`);
  } finally {
    await handle.close();
  }
}

async function* lateLines(
  file: string,
  { lines, lateBytes }: Extent,
): AsyncGenerator<StoredLine, void, undefined> {
  const handle = await openStored(file, lateBytes);
  try {
    for (let at = 0; at < lateBytes; ) {
      const head = await readAt(handle, recordHead, at);
      const [index, length] = [head.readUInt32LE(0), head.readUInt32LE(4)];
      const line = await readAt(handle, length, at + recordHead);
      if (index >= lines) yield { index, line: line.toString() };
      at += recordHead + length;
    }
  } finally {
    await handle.close();
  }
}

/** Opens a file that must hold so many bytes. Rejects `LostLines`. */
async function openStored(file: string, bytes: number): Promise<FileHandle> {
  const lost = (cause?: unknown) => new LostLines(`${file} holds less than was written to it.`, { cause });
  const handle = await open(file, 'r').catch((cause: NodeJS.ErrnoException) => {
    throw cause.code === 'ENOENT' ? lost(cause) : cause;
  });
  if ((await handle.stat()).size >= bytes) return handle;
  await handle.close();
  throw lost();
}
