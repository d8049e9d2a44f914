import { stat } from 'node:fs/promises';
import { moveFile } from '../../../lib/runtime/move-file.js';
import { openFault } from './output-fault.js';

export interface BatchPaths {
  readonly output: string;
  readonly checkpoint: string;
  /** Output and checkpoint of a retry, until they replace the output's. */
  readonly retried: string;
  readonly retriedCheckpoint: string;
}

export function batchPaths(output: string): BatchPaths {
  const retried = `${output}.retry`;
  return {
    output,
    checkpoint: `${output}.checkpoint`,
    retried,
    retriedCheckpoint: `${retried}.checkpoint`,
  };
}

/**
 * Returns the bytes of a file; null if there is none. Rejects with `invalid_parameter` for a folder, or a path below a
 * file.
 */
export async function fileSize(file: string): Promise<number | null> {
  try {
    const about = await stat(file);
    if (about.isDirectory()) throw Object.assign(new Error(file), { code: 'EISDIR' });
    return about.size;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw openFault(file, error);
  }
}

/** Replaces the output by a finished retry, or completes an interrupted replacement. */
export async function replaceOutput(paths: BatchPaths): Promise<void> {
  if ((await fileSize(paths.retried)) !== null) await moveFile(paths.retried, paths.output);
  await moveFile(paths.retriedCheckpoint, paths.checkpoint);
}
