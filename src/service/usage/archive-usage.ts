import { type FileHandle, open } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import { fileFault, StorageError } from '../../../lib/errors/storage-error.js';
import type { ArchivedCall } from '../../../lib/ledger/call-row.js';
import { makeFolder } from '../../../lib/runtime/make-folder.js';
import type { UsageArchive } from './usage-archive.js';

/** What went into a file. */
export interface UsageArchived {
  /** The file; null where there was nothing to be archived. */
  readonly file: string | null;
  /** Calls that the file holds and the ledger no longer does. */
  readonly calls: number;
  readonly bytes: number;
}

/** Calls that one step moves: bounds memory, and the time for which others wait for the ledger. */
const callsAtOnce = 1_000;

const compress = promisify(gzip);

function fileError(file: string, cause: unknown): ExtractError {
  const { code } = cause as NodeJS.ErrnoException;
  if (code === 'EEXIST') {
    return new ExtractError('invalid_parameter', `The file ${file} is there already. Name another one.`);
  }
  const message = `The archive ${file} cannot be written (${code ?? cause}). Name a file in a folder that can be written; what the archive does not hold is still in the ledger.`;
  return new StorageError(fileFault(cause), message, { cause });
}

/**
 * Writes all of the bytes behind the first `size`, and brings them to the disk. Cuts the file again where that fails.
 */
async function append(handle: FileHandle, bytes: Buffer, size: number): Promise<void> {
  try {
    for (let done = 0; done < bytes.length; ) {
      done += (await handle.write(bytes, done, bytes.length - done, size + done)).bytesWritten;
    }
    await handle.datasync();
  } catch (cause) {
    await handle.truncate(size).catch(() => undefined);
    throw cause;
  }
}

/**
 * Moves the calls before a time (milliseconds since 1970) into a new file of compressed lines of JSON. Their daily sums
 * stay in the ledger. Calls leave the ledger when they are on the disk. Whatever ends this in between, none is lost.
 * The file is whole up to there, and what was moved last is in the next file once more.
 */
export async function archiveUsage(
  store: UsageArchive,
  file: string,
  before: number,
): Promise<UsageArchived> {
  let calls = await store.listCallsBefore(before, null, callsAtOnce);
  if (calls.length === 0) return { file: null, calls: 0, bytes: 0 };
  let handle: FileHandle;
  try {
    makeFolder(path.dirname(path.resolve(file)));
    handle = await open(file, 'wx', 0o600);
  } catch (cause) {
    throw fileError(file, cause);
  }
  let [count, size] = [0, 0];
  try {
    while (calls.length > 0) {
      const lines = calls.map((call: ArchivedCall) => `${JSON.stringify(call)}\n`).join('');
      // A member of its own: the file can be read to its end after each step.
      const bytes = await compress(lines);
      await append(handle, bytes, size).catch((cause) => {
        throw fileError(file, cause);
      });
      size += bytes.length;
      await store.replaceBySums(calls);
      count += calls.length;
      calls = await store.listCallsBefore(before, calls.at(-1) ?? null, callsAtOnce);
    }
  } finally {
    await handle.close();
  }
  return { file, calls: count, bytes: size };
}
