import { copyFile, mkdir, open, readFile, realpath, rm } from 'node:fs/promises';
import path from 'node:path';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import { moveFile } from '../../../lib/runtime/move-file.js';

/** The text of somebody's file; null where there is none. Rejects `invalid_parameter`. */
export async function textOfFile(file: string): Promise<string | null> {
  return readFile(file, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') return null;
    throw new ExtractError('invalid_parameter', `${file} cannot be read (${cause.code}).`, { cause });
  });
}

/** A name beside a file that nothing bears yet. */
async function copyAside(file: string): Promise<string> {
  for (let number = 1; ; number += 1) {
    const backup = `${file}.backup-${number}`;
    try {
      // `wx`: never over a copy of before.
      await (await open(backup, 'wx', 0o600)).close();
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code === 'EEXIST') continue;
      throw cause;
    }
    await copyFile(file, backup);
    return backup;
  }
}

/**
 * Writes a file in one step, and keeps a copy of the file as it was. Resolves with the name of the copy; null where there
 * was no file. Rejects `invalid_parameter`, with nothing changed.
 */
export async function replaceFile(file: string, text: string, isThere: boolean): Promise<string | null> {
  // A link stays one, such as that of a folder of settings which several machines share.
  const target = await realpath(file).catch(() => file);
  const draft = `${target}.${process.pid}`;
  try {
    await mkdir(path.dirname(file), { recursive: true });
    const backup = isThere ? await copyAside(file) : null;
    // Readable by its owner alone: it may hold a key.
    const handle = await open(draft, 'w', 0o600);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await moveFile(draft, target);
    return backup;
  } catch (cause) {
    await rm(draft, { force: true }).catch(() => undefined);
    const { code } = cause as NodeJS.ErrnoException;
    throw new ExtractError('invalid_parameter', `${file} cannot be written (${code}).`, { cause });
  }
}
