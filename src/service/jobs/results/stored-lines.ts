import { type FileHandle, open } from 'node:fs/promises';
import type { Extent } from '../job.js';
import { BlockSums } from './block-sums.js';
import { checkedBytes } from './checked-lines.js';
import { DamagedResults } from './damaged-results.js';
import { readOutOfOrderRecords } from './out-of-order-lines.js';
import { chunksAt } from './positioned.js';
import type { ResultsFiles } from './results-files.js';
import { readIndex } from './results-index.js';
import { LostLines } from './results-writer.js';
import { intactBytes } from './running-sums.js';

/** A line of a job's results, with its line feed. */
export interface StoredLine {
  /** Index of its input. */
  readonly index: number;
  readonly line: string;
}

const lineFeed = 0x0a;

/** The job whose lines are read. */
export interface StoredJob {
  readonly id: string;
  readonly total: number;
  readonly extent: Extent;
}

/**
 * The lines that a job has in its files, as far as its extent says. First those in the order of their inputs, then
 * those that wait for others. Rejects `LostLines` where the files hold less, or something else than their sums say.
 */
export async function* storedLines(
  files: ResultsFiles,
  job: StoredJob,
): AsyncGenerator<StoredLine, void, undefined> {
  if (job.extent.bytes > 0) yield* orderedLines(files, job);
  if (job.extent.lateBytes > 0) yield* lateLines(files.late(job.id), job.extent);
}

async function* orderedLines(
  files: ResultsFiles,
  job: StoredJob,
): AsyncGenerator<StoredLine, void, undefined> {
  const { lines, bytes } = job.extent;
  const file = files.lines(job.id);
  const handle = await openStored(file, bytes);
  try {
    let index = 0;
    let rest = Buffer.alloc(0);
    for await (const chunk of intactChunks(files, job, handle)) {
      const text = Buffer.concat([rest, chunk]);
      let from = 0;
      for (let at = text.indexOf(lineFeed); at >= 0; at = text.indexOf(lineFeed, from)) {
        yield { index, line: text.toString('utf8', from, at + 1) };
        index += 1;
        from = at + 1;
      }
      rest = text.subarray(from);
    }
    if (index !== lines || rest.length > 0) throw otherLines(file);
  } catch (cause) {
    throw cause instanceof DamagedResults ? otherLines(file, cause) : cause;
  } finally {
    await handle.close();
  }
}

/** The bytes of the lines, each checked as far as sums were kept. */
async function* intactChunks(
  files: ResultsFiles,
  { id, total, extent: { lines, bytes } }: StoredJob,
  handle: FileHandle,
): AsyncGenerator<Buffer, void, undefined> {
  const file = files.lines(id);
  if (lines === total) {
    const { sums } = await readIndex(files.index(id), bytes);
    return yield* checkedBytes({ handle, file, bytes, sums }, 0, bytes);
  }
  const read = new BlockSums();
  for await (const chunk of chunksAt(handle, 0, bytes)) read.add(chunk);
  if ((await intactBytes(files, id, read, handle)) < bytes) throw otherLines(file);
  yield* chunksAt(handle, 0, bytes);
}

async function* lateLines(
  file: string,
  { lines, lateBytes }: Extent,
): AsyncGenerator<StoredLine, void, undefined> {
  const handle = await openStored(file, lateBytes);
  try {
    for await (const { index, line, isIntact } of readOutOfOrderRecords(handle, lateBytes)) {
      if (!isIntact) throw otherLines(file);
      if (index >= lines) yield { index, line: line.toString() };
    }
  } finally {
    await handle.close();
  }
}

const otherLines = (file: string, cause?: unknown) =>
  new LostLines(`${file} holds other lines than were written to it.`, { cause });

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
