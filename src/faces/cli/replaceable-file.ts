import { stat } from 'node:fs/promises';
import { UsageError } from './usage-error.js';

/**
 * Throws a usage error for a path that must not be overwritten: folders, devices, pipes, and existing files unless
 * `mayReplace`. `shown` is what the user typed.
 */
export async function checkReplaceable(file: string, mayReplace: boolean, shown = file): Promise<void> {
  const found = await stat(file).catch(() => null);
  if (found === null) return;
  if (found.isDirectory())
    throw new UsageError('invalid_parameter', `${file} is a folder: name a file in it.`);
  if (!found.isFile()) {
    throw new UsageError(
      'invalid_parameter',
      `${file} is a device or a pipe, which no finished file can replace: leave the option out and send the output there with >.`,
    );
  }
  if (!mayReplace) throw new UsageError('invalid_parameter', `${shown} exists: --overwrite replaces it.`);
}
