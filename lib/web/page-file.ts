import { readFile, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { ExtractError, invalidParameter } from '../errors/extract-error.js';
import { bodyTooLarge } from './page.js';

/** Reads a recorded body. Throws what the network would throw for one over `maxBytes`. */
export type ReadBody = (file: string, maxBytes: number) => Promise<Uint8Array>;

/** True for a file name that stays inside its directory, by the path rules of a system. */
export function staysInside(file: string, style: typeof path.posix = path): boolean {
  // On Windows `C:x` is relative to another drive's current folder, and `x:y` is an alternate data stream.
  if (file.includes('\0') || style.isAbsolute(file) || (style.sep === '\\' && file.includes(':')))
    return false;
  const normal = style.normalize(file);
  return normal !== '.' && normal !== '..' && !normal.startsWith(`..${style.sep}`);
}

/**
 * Returns the bytes of a recorded body. Refuses a name or a link that leads out of `dir`, because a folder of pages may
 * come from a stranger. Throws `invalid_parameter`, or what the network would throw for a file over the limit.
 */
export async function readPageFile(dir: string, file: string, maxBytes: number): Promise<Uint8Array> {
  const outside = () => invalidParameter(`The page file ${JSON.stringify(file)} is not in ${dir}.`);
  if (!staysInside(file)) throw outside();
  try {
    const [root, real] = await Promise.all([realpath(dir), realpath(path.join(dir, file))]);
    if (!staysInside(path.relative(root, real))) throw outside();
    const stats = await stat(real);
    if (!stats.isFile()) throw outside();
    if (stats.size > maxBytes) throw bodyTooLarge(maxBytes);
    return await readFile(real);
  } catch (cause) {
    if (cause instanceof ExtractError) throw cause;
    const message = `The page file ${JSON.stringify(file)} in ${dir} cannot be read.`;
    throw invalidParameter(message, { cause });
  }
}
