import { stat } from 'node:fs/promises';
import { UsageError } from './usage-error.js';

/**
 * Throws a usage error for a path that must not be overwritten: folders, devices, pipes, and existing files unless
 * `mayReplace`. `shown` is what the user typed.
 */
export async function checkReplaceable(file: string, mayReplace: boolean, displayName = file): Promise<void> {
  const stats = await stat(file).catch(() => null);
  if (stats === null) return;
  if (stats.isDirectory())
    throw new UsageError('invalid_parameter', `${file} is a folder: choose a file in it.`);
  if (!stats.isFile()) {
    throw new UsageError(
      'invalid_parameter',
      `${file} is a device or a pipe, which a file cannot replace: omit the option and redirect the output with >.`,
    );
  }
  if (!mayReplace)
    throw new UsageError('invalid_parameter', `${displayName} exists: --overwrite replaces it.`);
}
