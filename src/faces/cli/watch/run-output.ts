import { rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { removeLines } from '../../../files/batch-files/result-output.js';
import { failedCount, type Totals } from '../../../files/batch-files/totals.js';

/** Returns the name of a run's file, with the time before the extension: `profiles.2026-11-22T18-00-00Z.ndjson`. */
export function fileOfRun(file: string, at: number, number = 1): string {
  const { dir, name, ext } = path.parse(file);
  const time = new Date(at)
    .toISOString()
    .replace(/\.\d+Z$/, 'Z')
    .replaceAll(':', '-');
  return path.join(dir, `${name}.${time}${number === 1 ? '' : `-${number}`}${ext}`);
}

export async function outputOfRun(output: string, at: number): Promise<string> {
  for (let number = 1; ; number += 1) {
    const file = fileOfRun(output, at, number);
    const isFree = await stat(file).then(
      () => false,
      () => true,
    );
    if (isFree) return file;
  }
}

/**
 * Removes the output of a finished run without results, because even an empty workbook has bytes. Returns whether it
 * did.
 */
export async function removeEmptyOutput(output: string, totals: Totals): Promise<boolean> {
  if (totals.ok > totals.withoutNews || failedCount(totals) > 0) return false;
  const about = await stat(output).catch(() => null);
  if (about === null || !about.isFile()) return false;
  await rm(output, { force: true });
  await rm(`${output}.checkpoint`, { force: true });
  await removeLines(output);
  return true;
}
