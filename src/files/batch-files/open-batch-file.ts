import path from 'node:path';
import { invalidParameter } from '../../../lib/errors/extract-error.js';
import type { Clock } from '../../../lib/runtime/clock.js';
import { lock } from '../result-files/lock.js';
import { type BatchShape, beginOutput, beginRetry, type Opening, resumeOutput } from './batch-file.js';
import { type BatchPaths, batchPaths, fileSize, replaceOutput } from './batch-paths.js';
import { readCheckpoint, type StoredCheckpoint } from './checkpoint.js';
import type { LookedUp } from './looked-up.js';
import type { OnSaved } from './output.js';
import { openFault } from './output-fault.js';
import type { RunSink } from './run-sink.js';

/** What to do about an existing output file. */
export type OpenMode = 'begin' | 'overwrite' | 'resume' | 'retry';

export interface BatchFileOptions {
  readonly file: string;
  readonly mode: OpenMode;
  readonly clock: Clock;
  readonly batch: BatchShape;
  readonly onSaved?: OnSaved | undefined;
}

/** “without --csv-raw”, “with --csv-excel semicolon” */
function withOption(name: string, value: string | number | boolean): string {
  const option = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  if (typeof value === 'boolean') return `${value ? 'with' : 'without'} ${option}`;
  return `with ${option} ${value}`;
}

function requireSameBatch({ header }: StoredCheckpoint, { endpoint, shape }: BatchShape): void {
  if (header.endpoint !== endpoint) {
    throw invalidParameter(`The batch was started with ${header.endpoint}, not with ${endpoint}.`);
  }
  const { grid, ...startShape } = header.shape;
  const { grid: wantedGrid, ...options } = shape;
  if (grid !== undefined && grid !== wantedGrid) {
    throw invalidParameter(`The grid was started with ${grid}; it can only be resumed the same way.`);
  }
  if (startShape.new !== options.new) {
    const startOption = startShape.new === undefined ? 'without --new' : `with --new ${startShape.new}`;
    throw invalidParameter(`The batch was started ${startOption}; it can only be resumed the same way.`);
  }
  // Options that are not set are skipped.
  const names = Object.keys({ ...startShape, ...options }) as (keyof typeof startShape)[];
  const name = names.find((each) => (startShape[each] ?? false) !== (options[each] ?? false))?.toString();
  if (name === undefined) return;
  const value = startShape[name] ?? false;
  throw invalidParameter(
    name === 'output'
      ? `The batch was started with ${value} output; it can only be resumed the same way.`
      : `The batch was started ${withOption(name, value)}; it can only be resumed the same way.`,
  );
}

async function lockBatch({ file, mode, ...rest }: BatchFileOptions): Promise<Opening> {
  const paths = batchPaths(file);
  const unlock = await lock(`${paths.checkpoint}.lock`, path.basename(file)).catch((error: unknown) => {
    throw openFault(file, error);
  });
  return { ...rest, paths, unlock };
}

/**
 * Opens an output for a batch: a new one, or at the position of its checkpoint. Throws `invalid_parameter`, with
 * nothing changed, if the existing files do not allow the mode.
 */
export async function openBatchFile(options: BatchFileOptions): Promise<RunSink> {
  const opening = await lockBatch(options);
  try {
    const { open } = await planOpening(opening, options.mode);
    return await open();
  } catch (error) {
    opening.unlock();
    throw openFault(options.file, error);
  }
}

/**
 * Throws what opening an output would throw, for a command that first pays for a look-up. Returns the look-up of the
 * run to be resumed, if it had one.
 */
export async function checkBatchFile(options: BatchFileOptions): Promise<LookedUp | undefined> {
  const opening = await lockBatch(options);
  try {
    return (await planOpening(opening, options.mode)).stored?.header.lookedUp;
  } catch (error) {
    throw openFault(options.file, error);
  } finally {
    opening.unlock();
  }
}

/** Returns the checkpoint of an unfinished retry; a finished one replaces the output first. */
async function unfinishedRetry(paths: BatchPaths): Promise<StoredCheckpoint | null> {
  const size = (await fileSize(paths.retried)) ?? 0;
  const checkpoint = await readCheckpoint(paths.retriedCheckpoint, Number.MAX_SAFE_INTEGER);
  if (checkpoint?.entry?.done === true) {
    await replaceOutput(paths);
    return null;
  }
  return checkpoint === null ? null : readCheckpoint(paths.retriedCheckpoint, size);
}

/** How an output is opened, and the checkpoint of the run to resume, if any. */
interface OpenPlan {
  readonly stored?: StoredCheckpoint;
  readonly open: () => Promise<RunSink>;
}

/** Decides how to open an output, checking that its files allow the mode. */
async function planOpening(opening: Opening, mode: OpenMode): Promise<OpenPlan> {
  const { paths, batch } = opening;
  const retrying = await unfinishedRetry(paths);
  const size = await fileSize(paths.output);
  const checkpoint = await readCheckpoint(paths.checkpoint, size ?? 0);
  const name = path.basename(paths.output);
  const begin = { open: () => beginOutput(opening) };
  if (mode === 'overwrite') return begin;
  if (mode === 'begin') {
    if (retrying !== null || (checkpoint !== null && checkpoint.entry?.done !== true)) {
      throw invalidParameter(`${name} is not finished: --resume continues it, --overwrite starts over.`);
    }
    if (size !== null) {
      throw invalidParameter(
        checkpoint === null
          ? `${name} exists. Choose another file, or replace it with --overwrite.`
          : `${name} exists and is finished: --retry-failed runs its failed inputs again, --overwrite starts over.`,
      );
    }
    return begin;
  }
  if (retrying !== null) {
    requireSameBatch(retrying, batch);
    const entry = checkpoint?.entry;
    if (entry === undefined)
      throw invalidParameter(`The checkpoint of ${name} is missing; --overwrite starts over.`);
    return { stored: retrying, open: () => resumeOutput(opening, retrying, entry) };
  }
  if (checkpoint === null) {
    // An empty output has nothing to lose, so the first run may have --resume.
    if (mode === 'resume' && (size ?? 0) === 0) return begin;
    throw invalidParameter(`There is no checkpoint next to ${name} to resume from; --overwrite starts over.`);
  }
  requireSameBatch(checkpoint, batch);
  if (mode === 'resume') return { stored: checkpoint, open: () => resumeOutput(opening, checkpoint) };
  const { header, entry } = checkpoint;
  if (entry?.done !== true) {
    throw invalidParameter(`${name} is not finished: use --resume before --retry-failed.`);
  }
  return { stored: checkpoint, open: () => beginRetry(opening, header, entry) };
}
