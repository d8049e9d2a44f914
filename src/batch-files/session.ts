import { rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { batchId } from '../../lib/batch/batch.js';
import { ExtractError } from '../../lib/errors/extract-error.js';
import type { Clock } from '../../lib/runtime/clock.js';
import { Checkpoint, type Header, type Kept, readCheckpoint } from './checkpoint.js';
import { type FileOutput, openFileOutput } from './file-output.js';
import { lock } from './lock.js';
import type { Point } from './output.js';
import { nothingYet } from './tally.js';

/** How an output in a file is to be treated. */
export type Mode = 'begin' | 'overwrite' | 'resume' | 'retry';

/** The files of a batch whose output is in a file. */
export interface Files {
  readonly output: string;
  readonly checkpoint: string;
  /** Those of a run over the failed inputs, until it takes their place. */
  readonly retried: string;
  readonly retriedCheckpoint: string;
}

export function filesOf(output: string): Files {
  const retried = `${output}.retry`;
  return {
    output,
    checkpoint: `${output}.checkpoint`,
    retried,
    retriedCheckpoint: `${retried}.checkpoint`,
  };
}

/** A batch whose output is open. */
export interface Session {
  readonly id: string;
  readonly output: FileOutput;
  /** Where it stood when it was opened. */
  readonly from: Point;
  /** True when nothing is written yet, not even what stands before the first line. */
  readonly fresh: boolean;
  /** Set where only the failed inputs of a finished output are run. */
  readonly retry: { readonly of: Files; readonly size: number } | undefined;
  /** Puts what was written in its place once it is done, and lets others in. */
  close(done: boolean): Promise<void>;
}

async function sizeOf(file: string): Promise<number | null> {
  return stat(file).then(
    ({ size }) => size,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null;
      throw error;
    },
  );
}

const refuse = (message: string) => new ExtractError('invalid_parameter', message);

/** A finished run over the failed inputs takes the place of the output, wherever it was interrupted in doing so. */
async function putInPlace({ output, checkpoint, retried, retriedCheckpoint }: Files): Promise<void> {
  if ((await sizeOf(retried)) !== null) await rename(retried, output);
  await rename(retriedCheckpoint, checkpoint);
}

function sameBatch({ header }: Kept, wanted: Omit<Header, 'id' | 'extract_batch'>): void {
  const { endpoint, shape } = wanted;
  if (header.endpoint !== endpoint) {
    throw refuse(`The batch was begun with ${header.endpoint}, not with ${endpoint}.`);
  }
  const other = Object.entries(header.shape).find(
    ([name, value]) => shape[name as keyof typeof shape] !== value,
  );
  if (other === undefined) return;
  const [name, value] = other;
  throw refuse(
    typeof value === 'boolean'
      ? `The batch was begun ${value ? 'with' : 'without'} --${name}; it goes on only in the same way.`
      : `The batch was begun with ${value} output; it goes on only in the same way.`,
  );
}

export interface SessionOptions {
  readonly file: string;
  readonly mode: Mode;
  readonly clock: Clock;
  readonly batch: Omit<Header, 'id' | 'extract_batch'>;
}

/**
 * Opens an output for a batch: anew, or where the checkpoint says that it stood. Throws `invalid_parameter`, with
 * nothing touched, for files that do not allow what is asked.
 */
export async function openSession({ file, mode, clock, batch }: SessionOptions): Promise<Session> {
  const files = filesOf(file);
  const unlock = await lock(`${files.checkpoint}.lock`).catch((error: unknown) => {
    throw error instanceof ExtractError ? error : cannotWrite(file, error);
  });
  try {
    return await opened(files, { file, mode, clock, batch }, unlock);
  } catch (error) {
    await unlock();
    throw error instanceof ExtractError ? error : cannotWrite(file, error);
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'its folder is not there',
  ENOTDIR: 'its folder is not there',
  EISDIR: 'it is a folder',
  EACCES: 'it may not be written',
  EPERM: 'it may not be written',
  EROFS: 'its disk may not be written',
  ENOSPC: 'its disk is full',
};

function cannotWrite(file: string, error: unknown): ExtractError {
  const { code } = error as NodeJS.ErrnoException;
  if (code === undefined) throw error;
  return new ExtractError(
    'invalid_parameter',
    `The output ${file} cannot be written: ${reasons[code] ?? code}.`,
    { cause: error },
  );
}

async function opened(
  files: Files,
  { mode, clock, batch }: SessionOptions,
  unlock: () => Promise<void>,
): Promise<Session> {
  const retriedSize = (await sizeOf(files.retried)) ?? 0;
  let retrying = await readCheckpoint(files.retriedCheckpoint, Number.MAX_SAFE_INTEGER);
  if (retrying?.entry?.done === true) {
    await putInPlace(files);
    retrying = null;
  } else if (retrying !== null) {
    retrying = await readCheckpoint(files.retriedCheckpoint, retriedSize);
  }
  const size = await sizeOf(files.output);
  const kept = await readCheckpoint(files.checkpoint, size ?? 0);
  const name = path.basename(files.output);

  const session = async (
    target: string,
    checkpoint: Checkpoint,
    id: string,
    at: number,
    point: Point,
    retry?: Session['retry'],
  ): Promise<Session> => ({
    id,
    output: await openFileOutput(target, { checkpoint, clock, at, point }),
    from: point,
    fresh: at === 0 && retry === undefined,
    retry,
    async close(done) {
      if (done && retry !== undefined) await putInPlace(files);
      await unlock();
    },
  });
  const pointOf = ({ entry }: Kept): Point =>
    entry === undefined ? { totals: nothingYet, copied: 0 } : { totals: entry, copied: entry.copied };

  if (mode === 'begin' || mode === 'overwrite') {
    const unfinished = retrying !== null || (kept !== null && kept.entry?.done !== true);
    if (mode === 'begin' && unfinished) {
      throw refuse(`${name} is not finished: --resume goes on with it, --overwrite begins anew.`);
    }
    const id = batchId();
    const checkpoint = await Checkpoint.begin(files.checkpoint, { extract_batch: 1, id, ...batch });
    await rm(files.retriedCheckpoint, { force: true });
    await rm(files.retried, { force: true });
    return session(files.output, checkpoint, id, 0, { totals: nothingYet, copied: 0 });
  }
  if (retrying !== null) {
    sameBatch(retrying, batch);
    const checkpoint = await Checkpoint.goOn(files.retriedCheckpoint, retrying);
    const retry = { of: files, size: kept?.entry?.bytes ?? 0 };
    const at = retrying.entry?.bytes ?? 0;
    return session(files.retried, checkpoint, retrying.header.id, at, pointOf(retrying), retry);
  }
  if (kept === null) {
    // Where nothing was written yet there is nothing to lose: --resume may stand in a command from the beginning.
    if (mode === 'resume' && (size ?? 0) === 0) {
      return opened(files, { file: files.output, mode: 'begin', clock, batch }, unlock);
    }
    throw refuse(`There is no checkpoint beside ${name} to go on from.`);
  }
  sameBatch(kept, batch);
  if (mode === 'resume') {
    const checkpoint = await Checkpoint.goOn(files.checkpoint, kept);
    return session(files.output, checkpoint, kept.header.id, kept.entry?.bytes ?? 0, pointOf(kept));
  }
  if (kept.entry?.done !== true)
    throw refuse(`${name} is not finished: --resume comes before --retry-failed.`);
  const checkpoint = await Checkpoint.begin(files.retriedCheckpoint, kept.header);
  // Failed inputs are counted anew, and what they cost and got back with them.
  const totals = { ...kept.entry, inputs: 0, mark: 0, read: 0, failed: {}, givenBack: 0 };
  return session(
    files.retried,
    checkpoint,
    kept.header.id,
    0,
    { totals, copied: 0 },
    { of: files, size: kept.entry.bytes },
  );
}
