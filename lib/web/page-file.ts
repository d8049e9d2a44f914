import { readFile, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { ExtractError } from '../errors/extract-error.js';
import { bodyTooLarge } from './page.js';

/** Reads a recorded body: its bytes, or what the network would throw for one over `maxBytes`. */
export type ReadBody = (file: string, maxBytes: number) => Promise<Uint8Array>;

/** True for a file name that stays below the directory it is relative to, by the rules of a system's paths. */
export function staysInside(file: string, style: typeof path.posix = path): boolean {
  // `C:x` is relative on Windows, to the folder that another drive stands at, and `x:y` a stream beside a file.
  if (file.includes('\0') || style.isAbsolute(file) || (style.sep === '\\' && file.includes(':')))
    return false;
  const normal = style.normalize(file);
  return normal !== '.' && normal !== '..' && !normal.startsWith(`..${style.sep}`);
}

/**
 * Bytes of a recorded body. A name or a link that leads out of `dir` is refused. A folder of pages may come from a
 * stranger. Throws `invalid_parameter`, and for a file over the bound what the network would throw.
 */
export async function readPageFile(dir: string, file: string, maxBytes: number): Promise<Uint8Array> {
  const outside = () =>
    new ExtractError('invalid_parameter', `The page file ${JSON.stringify(file)} is not in ${dir}.`);
  if (!staysInside(file)) throw outside();
  try {
    const [root, real] = await Promise.all([realpath(dir), realpath(path.join(dir, file))]);
    if (!staysInside(path.relative(root, real))) throw outside();
    const found = await stat(real);
    if (!found.isFile()) throw outside();
    if (found.size > maxBytes) throw bodyTooLarge(maxBytes);
    return await readFile(real);
  } catch (cause) {
    if (cause instanceof ExtractError) throw cause;
    const message = `The page file ${JSON.stringify(file)} in ${dir} cannot be read.`;
    throw new ExtractError('invalid_parameter', message, { cause });
  }
}
