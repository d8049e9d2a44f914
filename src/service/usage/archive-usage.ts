import { open, rm } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { stringify } from 'ndjson';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import { fileFault, StorageError } from '../../../lib/errors/storage-error.js';
import type { ArchivedCall } from '../../../lib/ledger/call-row.js';
import { type FileLock, lockFile } from '../../../lib/runtime/file-lock.js';
import { makeFolder } from '../../../lib/runtime/make-folder.js';
import { namesIn } from '../../../lib/runtime/names-in.js';
import type { UsageArchive } from './ledger-archive.js';
import { endMoving, MovingCalls, replaceFrom } from './moving-calls.js';

export interface UsageArchived {
  /** Null if there was nothing to archive. */
  readonly file: string | null;
  /** Calls that are in the file and no longer in the ledger. */
  readonly calls: number;
  readonly bytes: number;
}

/** Calls moved per step. Bounds memory, and how long others wait for the ledger. */
const callsAtOnce = 1_000;

/** Returns the default file of an archive made at `now` in a data directory. */
export const usageArchiveFile = (home: string, before: string, now: number) =>
  path.join(home, 'archive', `usage-before-${before}-${now}.ndjson.gz`);

export async function deleteOldUsageArchives(home: string, before: number): Promise<void> {
  const folder = path.dirname(usageArchiveFile(home, '', 0));
  for (const name of await namesIn(folder)) {
    const [, archivedBefore] = /^usage-before-[\d-]{10}-(\d+)\.ndjson\.gz$/.exec(name) ?? [];
    if (archivedBefore !== undefined && Number(archivedBefore) < before)
      await rm(path.join(folder, name), { force: true });
  }
}

function fileError(file: string, cause: unknown): ExtractError {
  const { code } = cause as NodeJS.ErrnoException;
  if (code === 'EEXIST') {
    return new ExtractError('invalid_parameter', `The file ${file} already exists. Choose another name.`);
  }
  const message = `The archive ${file} cannot be written (${code ?? cause}). Choose a file in a writable folder. Calls that are not in the archive are still in the ledger, or will be added by the next archive in that folder.`;
  return new StorageError(fileFault(cause), message, { cause });
}

/**
 * Moves the calls before a time (milliseconds since 1970) into a new file of compressed NDJSON. Their daily sums stay
 * in the ledger. Calls leave the ledger once they are on disk. Each call is in exactly one place even if the process is
 * killed: the next archive in the same folder finishes or undoes the last step.
 */
export async function archiveUsage(
  store: UsageArchive,
  file: string,
  before: number,
): Promise<UsageArchived> {
  const folder = path.dirname(path.resolve(file));
  const lockError = (cause: unknown) => {
    throw cause instanceof ExtractError ? cause : fileError(file, cause);
  };
  const lock = await lockFolder(folder).catch(lockError);
  try {
    await endMoving(folder, (call) => store.holds(call)).catch(lockError);
    return await moveCalls(store, file, before);
  } finally {
    lock.remove();
  }
}

async function lockFolder(folder: string): Promise<FileLock> {
  makeFolder(folder);
  const lock = await lockFile(path.join(folder, '.archive.lock'));
  if (lock !== null) return lock;
  throw new ExtractError(
    'invalid_parameter',
    `Another archive is being written in ${folder}. Wait for it to finish, or choose a file in another folder.`,
  );
}

async function moveCalls(store: UsageArchive, file: string, before: number): Promise<UsageArchived> {
  let calls = await store.listCallsBefore(before, null, callsAtOnce);
  if (calls.length === 0) return { file: null, calls: 0, bytes: 0 };
  const handle = await open(file, 'wx', 0o600).catch((cause) => {
    throw fileError(file, cause);
  });
  const moving = await MovingCalls.open(file).catch(async (cause) => {
    await handle.close();
    throw fileError(file, cause);
  });
  let [count, size, isDone] = [0, 0, false];
  let last: ArchivedCall | null = null;
  try {
    while (calls.length > 0) {
      // A separate gzip member, so that the file is complete after each step.
      const bytes = await pipeline(Readable.from(calls), stringify(), createGzip(), buffer);
      const write = async (work: Promise<void>) => {
        await work.catch((cause) => {
          throw fileError(file, cause);
        });
      };
      await write(moving.keep(bytes, size));
      if (await store.replaceBySums(calls)) {
        await write(replaceFrom(handle, bytes, size));
        size += bytes.length;
        count += calls.length;
        last = calls.at(-1) ?? null;
      } else {
        // An archive in another folder moved some of them meanwhile.
        await write(moving.forget());
      }
      calls = await store.listCallsBefore(before, last, callsAtOnce);
    }
    isDone = true;
  } finally {
    await handle.close();
    await moving.close(isDone);
  }
  if (count > 0) return { file, calls: count, bytes: size };
  await rm(file, { force: true });
  return { file: null, calls: 0, bytes: 0 };
}
