import { copyFile, mkdir, open, readFile, realpath, rm } from 'node:fs/promises';
import path from 'node:path';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import { moveFile } from '../../../lib/runtime/move-file.js';

/** Returns the text of a user's file; null if there is none. Rejects with `invalid_parameter`. */
export async function textOfFile(file: string): Promise<string | null> {
  return readFile(file, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') return null;
    throw new ExtractError('invalid_parameter', `${file} cannot be read (${cause.code}).`, { cause });
  });
}

async function copyAside(file: string): Promise<string> {
  for (let number = 1; ; number += 1) {
    const backup = `${file}.backup-${number}`;
    try {
      // `wx` never overwrites an earlier copy.
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
 * Writes a file atomically, keeping a copy of the original. Resolves with the name of the copy; null if there was no
 * file. Rejects with `invalid_parameter`, with nothing changed.
 */
export async function replaceFile(file: string, text: string, isThere: boolean): Promise<string | null> {
  // Preserves a link, for example to a settings folder that several machines share.
  const target = await realpath(file).catch(() => file);
  const draft = `${target}.${process.pid}`;
  try {
    await mkdir(path.dirname(file), { recursive: true });
    const backup = isThere ? await copyAside(file) : null;
    // Readable by the owner only, because it may contain a key.
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
