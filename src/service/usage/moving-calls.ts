import { type FileHandle, open, readdir, readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { ArchivedCall } from '../../../lib/ledger/call-row.js';

/*
 * The calls that a step of an archive moves stand in a file of their own while no other place surely holds them:
 * behind the size of the archive before the step. After a kill, the next archive of the folder learns from the ledger
 * whether the step was made, and takes it back or ends it. So each call is in one file, once.
 */

const suffix = '.moving';
const headBytes = 8;

const unzip = promisify(gunzip);

/** Writes bytes at a place of a file, cut there before, and brings them to the disk. Cuts it again where that fails. */
export async function writeAt(handle: FileHandle, bytes: Buffer, size: number): Promise<void> {
  try {
    await handle.truncate(size);
    for (let done = 0; done < bytes.length; ) {
      done += (await handle.write(bytes, done, bytes.length - done, size + done)).bytesWritten;
    }
    await handle.datasync();
  } catch (cause) {
    await handle.truncate(size).catch(() => undefined);
    throw cause;
  }
}

/** Brings the names in a folder to the disk, where the system can. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}

/** The file of the step that an archive is making. */
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

  /** Keeps what is to stand behind the first `size` bytes of the archive; resolves when it is on the disk. */
  async keep(bytes: Buffer, size: number): Promise<void> {
    const head = Buffer.alloc(headBytes);
    head.writeBigUInt64BE(BigInt(size));
    await writeAt(this.#handle, Buffer.concat([head, bytes]), 0);
  }

  /** Forgets what was kept: the step was not made. */
  async forget(): Promise<void> {
    await writeAt(this.#handle, Buffer.alloc(0), 0);
  }

  /** Closes the file, and removes it where nothing of it is needed any more. */
  async close(isDone: boolean): Promise<void> {
    await this.#handle.close();
    if (isDone) await rm(this.#file, { force: true });
  }
}

/** The first call of a step; null for one that was not written to its end, and so never made. */
async function firstOf(step: Buffer): Promise<ArchivedCall | null> {
  try {
    const text = String(await unzip(step));
    return JSON.parse(text.slice(0, text.indexOf('\n'))) as ArchivedCall;
  } catch {
    return null;
  }
}

/** Ends the steps that killed programs left in a folder; `holds` tells whether a call is still in the ledger. */
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
        await writeAt(handle, step, Number(journal.readBigUInt64BE()));
      } finally {
        await handle.close();
      }
    } else if ((await stat(archive).catch(() => null))?.size === 0) await rm(archive);
    await rm(file, { force: true });
  }
}
