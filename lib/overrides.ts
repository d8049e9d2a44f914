import { readFile } from 'node:fs/promises';
import { ExtractError } from './errors/extract-error.js';
import type { Json } from './read/json.js';

/**
 * The JSON of a file that replaces dated data of a platform. Read for every fetch, so that a corrected file
 * counts at once. Throws `invalid_parameter`, naming the setting, for a file that cannot be read.
 */
export async function readOverrides(setting: string, file: string): Promise<Json> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Json;
  } catch (cause) {
    throw new ExtractError('invalid_parameter', `The file of the setting ${setting} is not readable JSON.`, {
      cause,
    });
  }
}
