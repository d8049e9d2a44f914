import { type FileHandle, open, readdir, readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { ArchivedCall } from '../../../lib/ledger/call-row.js';
import { writeAt } from '../../../lib/runtime/write-at.js';

/*
 * While a step of an archive moves calls, they are also in a separate file, with the archive's size before the step.
 * After a kill, the next archive in the folder checks in the ledger whether the step was taken, and undoes or
 * finishes it. So each call is in one file, once.
 */

const suffix = '.moving';
const headBytes = 8;

const unzip = promisify(gunzip);

/**
 * Writes bytes at a position of a file, which is truncated there first, and syncs them. Truncates it again on failure.
 */
export async function replaceFrom(handle: FileHandle, bytes: Buffer, size: number): Promise<void> {
  try {
    await handle.truncate(size);
    await writeAt(handle, bytes, size);
    await handle.datasync();
  } catch (cause) {
    await handle.truncate(size).catch(() => undefined);
    throw cause;
  }
}

/** Syncs the directory entries of a folder, if the system can. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}

export class MovingCalls {
  readonly #file: string;
  readonly #handle: FileHandle;

  private constructor(file: string, handle: FileHandle) {
    this.#file = file;
    this.#handle = handle;
  }

  static async open(archive: string): Promise<MovingCalls> {
    const file = archive + suffix;
    const handle = await open(file, 'w', 0o600);
    await syncFolder(path.dirname(file));
    return new MovingCalls(file, handle);
  }

  /** Stores what will follow the first `size` bytes of the archive. Resolves once it is on disk. */
  async keep(bytes: Buffer, size: number): Promise<void> {
    const head = Buffer.alloc(headBytes);
    head.writeBigUInt64BE(BigInt(size));
    await replaceFrom(this.#handle, Buffer.concat([head, bytes]), 0);
  }

  /** Discards what was stored, because the step was not made. */
  async forget(): Promise<void> {
    await replaceFrom(this.#handle, Buffer.alloc(0), 0);
  }

  async close(isDone: boolean): Promise<void> {
    await this.#handle.close();
    if (isDone) await rm(this.#file, { force: true });
  }
}

/** Returns the first call of a step; null for a step that was not written completely, and therefore never made. */
async function firstOf(step: Buffer): Promise<ArchivedCall | null> {
  try {
    const text = String(await unzip(step));
    return JSON.parse(text.slice(0, text.indexOf('\n'))) as ArchivedCall;
  } catch {
    return null;
  }
}

/** Finishes the steps that killed processes left in a folder. `holds` returns true if a call is still in the ledger. */
export async function endMoving(
  folder: string,
  holds: (call: ArchivedCall) => Promise<boolean>,
): Promise<void> {
  const names = await readdir(folder);
  for (const name of names.filter((one) => one.endsWith(suffix))) {
    const file = path.join(folder, name);
    const journal = await readFile(file);
    const step = journal.subarray(headBytes);
    const archive = file.slice(0, -suffix.length);
    const first = journal.length > headBytes ? await firstOf(step) : null;
    if (first !== null && !(await holds(first))) {
      const handle = await open(archive, 'r+');
      try {
        await replaceFrom(handle, step, Number(journal.readBigUInt64BE()));
      } finally {
        await handle.close();
      }
    } else if ((await stat(archive).catch(() => null))?.size === 0) await rm(archive);
    await rm(file, { force: true });
  }
}
