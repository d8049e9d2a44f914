import { rm } from 'node:fs/promises';
import path from 'node:path';
import { invalidParameter } from '../../../lib/errors/extract-error.js';
import type { CallSignal } from '../../../lib/runtime/abort.js';
import { lock } from '../result-files/lock.js';
import { batchPaths, fileSize } from './batch-paths.js';
import { readCheckpoint } from './checkpoint.js';
import type { LookedUp } from './looked-up.js';
import { type BatchFileOptions, checkBatchFile, openBatchFile } from './open-batch-file.js';
import { openFault, outputFault } from './output-fault.js';
import { abandon, type BuiltFile, type RunSink } from './run-sink.js';

const exists = async ({ file }: BuiltFile) => (await fileSize(file)) !== null;

/** Returns a file that each run rewrites. */
export const completeFile = ({
  file,
  lines,
  make,
}: Pick<BuiltFile, 'file' | 'lines' | 'make'>): BuiltFile => ({
  ...{ file, lines, make, adds: false },
  has: async () => true,
  withdraw: () => rm(file, { force: true }),
});

type BuildOptions = Omit<BatchFileOptions, 'file'>;
type Mode = BuildOptions['mode'];

/** Returns the mode for the lines of a run to be added to a file. */
async function modeToAdd(target: BuiltFile, mode: Mode): Promise<Mode> {
  if (mode !== 'begin' && mode !== 'overwrite') return mode;
  const { output, checkpoint } = batchPaths(target.lines);
  const checkpointContent = await readCheckpoint(checkpoint, (await fileSize(output)) ?? 0);
  const isThere = await exists(target);
  // Lines already in the file make room for the next run's.
  if (checkpointContent?.entry?.done === true && isThere && (await target.has(checkpointContent.header.id)))
    return 'overwrite';
  const name = checkpointContent?.header.shape.new;
  if (mode === 'begin' || name === undefined || (target.isRemoved === true && !isThere)) return mode;
  throw invalidParameter(
    `${target.lines} has items that --new ${name} counts as returned, and ${path.basename(target.file)} does not have them yet: --resume continues it. To start over anyway, delete it, then run “extract history new forget ${name}”.`,
  );
}

/** Returns the mode for the lines of a run that rewrites a file. Throws if an existing one does not allow it. */
async function modeToWrite(target: BuiltFile, mode: Mode): Promise<Mode> {
  if (!(await exists(target))) return mode;
  const { file, lines } = target;
  if (mode === 'begin')
    throw invalidParameter(
      `${file} exists: --overwrite replaces it, --resume continues the batch that wrote it.`,
    );
  if (mode === 'resume' && !(await fileSize(lines)))
    throw invalidParameter(
      `${file} exists without the lines it was built from (${lines}): --overwrite starts over.`,
    );
  return mode;
}

async function linesOptions(target: BuiltFile, options: BuildOptions): Promise<BatchFileOptions> {
  await target.check?.();
  const mode = await (target.adds ? modeToAdd : modeToWrite)(target, options.mode);
  return { ...options, mode, file: target.lines };
}

/** Throws what opening the lines would throw. Returns the look-up of their run, as `checkBatchFile` does. */
export const checkBuiltFile = async (
  target: BuiltFile,
  options: BuildOptions,
): Promise<LookedUp | undefined> => checkBatchFile(await linesOptions(target, options));

/** Opens the lines of a run from which a file is built. Throws as `openBatchFile` does. */
export async function openBuiltFile(target: BuiltFile, options: BuildOptions): Promise<RunSink> {
  const sink = await openBatchFile(await linesOptions(target, options));
  const withdraw = async () => {
    if (await exists(target)) await target.withdraw(sink.id);
  };
  try {
    if (options.mode === 'overwrite') await withdraw();
  } catch (cause) {
    await abandon(sink);
    throw cause;
  }
  return {
    ...sink,
    builtFile: target,
    async close(done) {
      if (done && sink.retry !== undefined) await withdraw();
      await sink.close(done);
    },
    finish: (signal) => makeFile(target, sink.id, signal),
  };
}

/**
 * Builds the file of a run whose lines are complete, unless it already contains them. A killed process leaves a draft,
 * which the next run overwrites. Throws the signal's reason.
 */
async function makeFile(target: BuiltFile, id: string, signal: CallSignal): Promise<void> {
  const { file, lines } = target;
  const unlock = await lock(`${batchPaths(lines).checkpoint}.lock`, path.basename(file)).catch(
    (error: unknown) => {
      throw openFault(file, error);
    },
  );
  try {
    if ((await exists(target)) && (await target.has(id))) return;
    await target.make(id, signal);
  } catch (error) {
    throw outputFault(error);
  } finally {
    unlock();
  }
}
