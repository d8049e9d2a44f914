import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import type { Endpoint } from '../../../lib/endpoint.js';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import { isoTime } from '../../../lib/read/iso-time.js';
import type { CallSignal } from '../../../lib/runtime/abort.js';
import type { Clock } from '../../../lib/runtime/clock.js';
import type { OutputKind } from '../result-files/file-kind.js';
import { lock } from '../result-files/lock.js';
import { forgetRun, hasRun, writeFromLines } from '../result-files/write-file.js';
import { removeAddedLines } from './appended-output.js';
import { abandon, type BatchFile } from './batch-file.js';
import { batchPaths, fileSize } from './batch-paths.js';
import { readCheckpoint } from './checkpoint.js';
import type { LookedUp } from './looked-up.js';
import { type BatchFileOptions, checkBatchFile, openBatchFile } from './open-batch-file.js';
import { openFault, outputFault } from './output-fault.js';

/**
 * An output that no run can continue in the middle. The batch writes its lines to a file next to it, with the
 * checkpoint, and the output is built from them once they are complete. At any time it is complete, or absent.
 */
export interface BuiltOutput {
  readonly kind: Exclude<OutputKind, 'ndjson'>;
  readonly file: string;
  /** The lines that it is built from, if they are not named after it. */
  readonly lines?: string | undefined;
  /** Appends to the existing database, in one transaction. */
  readonly append: boolean;
  readonly endpoint: Endpoint;
  /** Adds columns for the source of each item. */
  readonly sources: boolean;
  /** Columns of the user's own file that are carried into this one. */
  readonly own?: readonly string[] | undefined;
  /** True for a run with `--new`, which adds a column for the changes of objects. */
  readonly news: boolean;
}

/** Returns the lines that an output is built from. */
export const linesFile = ({ file, lines }: Pick<BuiltOutput, 'file' | 'lines'>) => lines ?? `${file}.ndjson`;

async function isThere({ file, append }: BuiltOutput, id: string): Promise<boolean> {
  if ((await fileSize(file)) === null) return false;
  return append ? hasRun(file, id) : true;
}

/** Removes the lines of a finished run that its output contains, so that the next run begins its own. */
export async function removeLines(file: string): Promise<void> {
  const { output, checkpoint } = batchPaths(linesFile({ file }));
  await rm(output, { force: true });
  await rm(checkpoint, { force: true });
  await removeAddedLines(file);
}

/** Marks the output as not built, because the lines are about to differ from its content. */
async function discard({ file, append }: BuiltOutput, id: string): Promise<void> {
  if (!append) await rm(file, { force: true });
  else if ((await fileSize(file)) !== null) await forgetRun(file, id);
}

const refusal = (message: string) => new ExtractError('invalid_parameter', message);

/** Returns the mode for the lines. Throws if the existing output does not allow the requested one. */
async function modeOfLines(
  output: BuiltOutput,
  mode: BatchFileOptions['mode'],
): Promise<BatchFileOptions['mode']> {
  const paths = batchPaths(linesFile(output));
  const exists = (await fileSize(output.file)) !== null;
  const size = await fileSize(paths.output);
  if (output.append) {
    if (mode !== 'begin' && mode !== 'overwrite') return mode;
    const stored = await readCheckpoint(paths.checkpoint, size ?? 0);
    const isDone = stored?.entry?.done === true && (await isThere(output, stored.header.id));
    // Lines already in the database make room for the next run's.
    if (isDone) return 'overwrite';
    const name = stored?.header.shape.new;
    // A chain that starts over has already removed its database.
    if (mode === 'begin' || name === undefined || (output.lines !== undefined && !exists)) return mode;
    throw refusal(
      `${paths.output} holds what --new ${name} counts as given, and the database does not have it yet: --resume continues it. To start over all the same, delete it, and then “extract history new forget ${name}”.`,
    );
  }
  if (exists && mode === 'begin') {
    throw refusal(
      `${output.file} exists: --overwrite replaces it, --resume continues the batch that wrote it.`,
    );
  }
  if (exists && mode === 'resume' && !size) {
    throw refusal(
      `${output.file} exists without the lines it was made from (${paths.output}): --overwrite starts over.`,
    );
  }
  return mode;
}

type BuiltOptions = Omit<BatchFileOptions, 'file'>;

async function linesOptions(output: BuiltOutput, options: BuiltOptions): Promise<BatchFileOptions> {
  return { ...options, mode: await modeOfLines(output, options.mode), file: linesFile(output) };
}

/** Throws what opening the lines would throw, and returns the look-up of their run, as `checkBatchFile` does. */
export async function checkBuiltOutput(
  output: BuiltOutput,
  options: BuiltOptions,
): Promise<LookedUp | undefined> {
  return checkBatchFile(await linesOptions(output, options));
}

/** Opens the lines of a batch whose output is built at its end. Throws as `openBatchFile` does. */
export async function openBuiltOutput(output: BuiltOutput, options: BuiltOptions): Promise<BatchFile> {
  const file = await openBatchFile(await linesOptions(output, options));
  try {
    if (options.mode === 'overwrite') await discard(output, file.id);
  } catch (cause) {
    await abandon(file);
    throw cause;
  }
  return {
    ...file,
    async close(done) {
      if (done && file.retry !== undefined) await discard(output, file.id);
      await file.close(done);
    },
  };
}

/**
 * Builds the output of a batch whose lines are complete, unless it exists. A process that is killed meanwhile leaves a
 * draft, which the next run overwrites. Throws the signal's reason.
 */
export async function buildOutput(
  output: BuiltOutput,
  { id, clock, signal }: { readonly id: string; readonly clock: Clock; readonly signal: CallSignal },
): Promise<void> {
  const { endpoint, kind, file, append, sources, news, own } = output;
  const paths = batchPaths(linesFile(output));
  const unlock = await lock(`${paths.checkpoint}.lock`, path.basename(file)).catch((error: unknown) => {
    throw openFault(file, error);
  });
  try {
    if (await isThere(output, id)) return;
    const run = { id, at: isoTime(clock.now()) };
    const lines = () => createReadStream(paths.output, { highWaterMark: 64 * 1024 });
    const options = { endpoint, inputs: true, sources, news, own, kind, file, append, run };
    await writeFromLines(options, lines, signal);
  } catch (error) {
    throw outputFault(error);
  } finally {
    unlock();
  }
}
