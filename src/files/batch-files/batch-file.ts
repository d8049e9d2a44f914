import { rm } from 'node:fs/promises';
import { batchId } from '../../../lib/batch/batch.js';
import type { Clock } from '../../../lib/runtime/clock.js';
import { type BatchPaths, replaceOutput } from './batch-paths.js';
import {
  Checkpoint,
  type CheckpointEntry,
  type CheckpointHeader,
  type StoredCheckpoint,
} from './checkpoint.js';
import { openFileOutput } from './file-output.js';
import { type BatchPosition, type LeftAnswers, type OnSaved, startPosition } from './output.js';
import type { RunSink } from './run-sink.js';

/** The options that determine the lines of a batch. */
export type BatchShape = Omit<CheckpointHeader, 'id' | 'extract_batch'>;

export interface Opening {
  readonly paths: BatchPaths;
  readonly batch: BatchShape;
  readonly clock: Clock;
  readonly unlock: () => void;
  readonly onSaved?: OnSaved | undefined;
}

interface OutputStart {
  readonly checkpoint: Checkpoint;
  readonly id: string;
  readonly bytes: number;
  readonly position: BatchPosition;
  readonly unwritten?: LeftAnswers | undefined;
  readonly retry?: RunSink['retry'];
}

async function openAt(
  { paths, clock, unlock, onSaved }: Opening,
  { checkpoint, id, bytes, position, unwritten = [], retry }: OutputStart,
): Promise<RunSink> {
  const target = retry === undefined ? paths.output : paths.retried;
  return {
    id,
    output: await openFileOutput(target, { checkpoint, clock, offset: bytes, position, onSaved }),
    from: position,
    unwritten,
    isNew: bytes === 0 && retry === undefined,
    isResumable: true,
    retry,
    builtFile: null,
    async close(done) {
      if (done && retry !== undefined) await replaceOutput(paths);
      unlock();
    },
    finish: async () => {},
  };
}

const positionOf = ({ entry }: StoredCheckpoint): BatchPosition =>
  entry === undefined ? startPosition : { totals: entry, copied: entry.copied };

/** Starts a new output, overwriting any existing one. */
export async function beginOutput(opening: Opening): Promise<RunSink> {
  const { paths, batch } = opening;
  const id = batchId();
  const checkpoint = await Checkpoint.create(paths.checkpoint, { extract_batch: 1, id, ...batch });
  await rm(paths.retriedCheckpoint, { force: true });
  await rm(paths.retried, { force: true });
  return openAt(opening, { checkpoint, id, bytes: 0, position: startPosition });
}

/**
 * Continues an output after its last checkpoint entry. With `finished`, the last entry of an output, continues the run
 * over its failed inputs.
 */
export async function resumeOutput(
  opening: Opening,
  stored: StoredCheckpoint,
  finished?: CheckpointEntry,
): Promise<RunSink> {
  const { paths } = opening;
  const file = finished === undefined ? paths.checkpoint : paths.retriedCheckpoint;
  return openAt(opening, {
    checkpoint: await Checkpoint.resume(file, stored),
    id: stored.header.id,
    bytes: stored.entry?.bytes ?? 0,
    position: positionOf(stored),
    unwritten: stored.entry?.left,
    retry: finished && { of: paths, finished },
  });
}

/** Starts a run over the failed inputs of a finished output. */
export async function beginRetry(
  opening: Opening,
  header: CheckpointHeader,
  finished: CheckpointEntry,
): Promise<RunSink> {
  return openAt(opening, {
    checkpoint: await Checkpoint.create(opening.paths.retriedCheckpoint, header),
    id: header.id,
    bytes: 0,
    // A retry counts the failed inputs again, with their charges and refunds.
    position: {
      totals: { ...finished, inputs: 0, mark: 0, read: 0, failed: {}, begun: 0, givenBack: 0 },
      copied: 0,
    },
    retry: { of: opening.paths, finished },
  });
}
