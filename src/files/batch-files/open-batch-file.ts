import path from 'node:path';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import type { Clock } from '../../../lib/runtime/clock.js';
import {
  type BatchFile,
  type BatchShape,
  beginOutput,
  beginRetry,
  type Opening,
  resumeOutput,
  resumeRetry,
} from './batch-file.js';
import { type BatchPaths, batchPaths, fileSize, replaceOutput } from './batch-paths.js';
import { readCheckpoint, type StoredCheckpoint } from './checkpoint.js';
import { lock } from './lock.js';
import type { OnSaved } from './output.js';
import { openFault } from './output-fault.js';

/** The way to treat an output file that may exist. */
export type OpenMode = 'begin' | 'overwrite' | 'resume' | 'retry';

export interface BatchFileOptions {
  readonly file: string;
  readonly mode: OpenMode;
  readonly clock: Clock;
  readonly batch: BatchShape;
  readonly onSaved?: OnSaved | undefined;
}

const refusal = (message: string) => new ExtractError('invalid_parameter', message);

/** “without --csv-raw”, “with --csv-excel semicolon” */
function withOption(name: string, value: string | number | boolean): string {
  const option = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  if (typeof value === 'boolean') return `${value ? 'with' : 'without'} ${option}`;
  return `with ${option} ${value}`;
}

function requireSameBatch({ header }: StoredCheckpoint, { endpoint, shape }: BatchShape): void {
  if (header.endpoint !== endpoint) {
    throw refusal(`The batch was begun with ${header.endpoint}, not with ${endpoint}.`);
  }
  const news = header.shape.new;
  if (news !== shape.new) {
    const begun = news === undefined ? 'without --new' : `with --new ${news}`;
    throw refusal(`The batch was begun ${begun}; it can only be resumed the same way.`);
  }
  // Options that are not given are left out.
  const names = Object.keys({ ...header.shape, ...shape }) as (keyof typeof header.shape)[];
  const name = names.find((each) => (header.shape[each] ?? false) !== (shape[each] ?? false));
  if (name === undefined) return;
  const value = header.shape[name] ?? false;
  throw refusal(
    name === 'output'
      ? `The batch was begun with ${value} output; it can only be resumed the same way.`
      : `The batch was begun ${withOption(name, value)}; it can only be resumed the same way.`,
  );
}

/**
 * Opens an output for a batch: anew, or at the position of its checkpoint. Throws `invalid_parameter`, with nothing
 * touched, for files that do not allow the mode.
 */
export async function openBatchFile({
  file,
  mode,
  clock,
  batch,
  onSaved,
}: BatchFileOptions): Promise<BatchFile> {
  const paths = batchPaths(file);
  const unlock = await lock(`${paths.checkpoint}.lock`, path.basename(file)).catch((error: unknown) => {
    throw openFault(file, error);
  });
  try {
    return await open({ paths, batch, clock, unlock, onSaved }, mode);
  } catch (error) {
    unlock();
    throw openFault(file, error);
  }
}

/** The checkpoint of a retry that is not finished; one that is replaces the output first. */
async function unfinishedRetry(paths: BatchPaths): Promise<StoredCheckpoint | null> {
  const size = (await fileSize(paths.retried)) ?? 0;
  const stored = await readCheckpoint(paths.retriedCheckpoint, Number.MAX_SAFE_INTEGER);
  if (stored?.entry?.done === true) {
    await replaceOutput(paths);
    return null;
  }
  return stored === null ? null : readCheckpoint(paths.retriedCheckpoint, size);
}

async function open(opening: Opening, mode: OpenMode): Promise<BatchFile> {
  const { paths, batch } = opening;
  const retrying = await unfinishedRetry(paths);
  const size = await fileSize(paths.output);
  const stored = await readCheckpoint(paths.checkpoint, size ?? 0);
  const name = path.basename(paths.output);
  if (mode === 'overwrite') return beginOutput(opening);
  if (mode === 'begin') {
    if (retrying !== null || (stored !== null && stored.entry?.done !== true)) {
      throw refusal(`${name} is not finished: --resume continues it, --overwrite starts over.`);
    }
    if (size !== null) {
      throw refusal(
        stored === null
          ? `${name} exists. Name another file, or let --overwrite replace it.`
          : `${name} exists and is finished: --retry-failed runs its failed inputs again, --overwrite starts over.`,
      );
    }
    return beginOutput(opening);
  }
  if (retrying !== null) {
    requireSameBatch(retrying, batch);
    if (stored?.entry === undefined)
      throw refusal(`The checkpoint of ${name} is gone; --overwrite starts over.`);
    return resumeRetry(opening, retrying, stored.entry);
  }
  if (stored === null) {
    // An empty output has nothing to lose: --resume may stand in a command from its first run on.
    if (mode === 'resume' && (size ?? 0) === 0) return beginOutput(opening);
    throw refusal(`There is no checkpoint next to ${name} to resume from; --overwrite starts over.`);
  }
  requireSameBatch(stored, batch);
  if (mode === 'resume') return resumeOutput(opening, stored);
  if (stored.entry?.done !== true) {
    throw refusal(`${name} is not finished: --resume comes before --retry-failed.`);
  }
  return beginRetry(opening, stored.header, stored.entry);
}
