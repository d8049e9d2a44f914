import { open, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Endpoint } from '../../../../lib/endpoint.js';
import { systemClock } from '../../../../lib/runtime/clock.js';
import { addLines, openAdded } from '../../../files/batch-files/appended-output.js';
import type { BatchFile } from '../../../files/batch-files/batch-file.js';
import {
  type BatchOutcome,
  type BatchRun,
  runToFile,
  runToStream,
} from '../../../files/batch-files/batch-run.js';
import {
  type BuiltOutput,
  buildOutput,
  linesFile,
  openBuiltOutput,
} from '../../../files/batch-files/built-output.js';
import { type LineFormat, ndjsonFormat } from '../../../files/batch-files/line-format.js';
import { openBatchFile } from '../../../files/batch-files/open-batch-file.js';
import { type OnSaved, streamOutput } from '../../../files/batch-files/output.js';
import { openFault, writeFault } from '../../../files/batch-files/output-fault.js';
import { isBuilt } from '../../../files/result-files/file-kind.js';
import type { LineSteps } from '../../../lines/run-steps.js';
import type { OutputUpload } from '../bucket/batch-bucket.js';
import type { Context } from '../context.js';
import { printable, printableJson } from '../printable.js';
import { UsageError } from '../usage-error.js';
import type { BatchCommandOptions } from './batch-options.js';
import type { KeptFiles } from './write-summary.js';

/** Formats lines that name their endpoint. */
const endpointLines = ({ path }: Endpoint, format: LineFormat): LineFormat => ({
  ...format,
  lines: (result) => format.lines(result).replace(/^\{/gm, `{"endpoint":${JSON.stringify(path)},`),
});

/** Returns the format of the lines: of the output, or of what it is built from. `own`: the user's own columns. */
export async function formatOf(
  { endpoint, outputFormat, flatten, csv, sources, steps, output, addressed }: BatchCommandOptions,
  own: readonly string[],
): Promise<LineFormat> {
  if (outputFormat !== 'csv' && outputFormat !== 'tsv') {
    return addressed !== undefined && output === null
      ? endpointLines(endpoint, ndjsonFormat(flatten))
      : ndjsonFormat(flatten, isBuilt(outputFormat));
  }
  const { csvFormat } = await import('../../../files/batch-files/csv-format.js');
  const tabs = outputFormat === 'tsv';
  return csvFormat(endpoint, { ...csv, tabs, sources, own, news: steps.new !== undefined });
}

/** True for a file that is not regular, such as a pipe or a device, to which a batch cannot resume writing. */
export async function isStream(file: string): Promise<boolean> {
  return stat(file).then(
    (about) => !about.isFile() && !about.isDirectory(),
    () => false,
  );
}

/**
 * Returns the output that is built at the end; null if lines are written into it directly. Throws a usage error for a
 * stream.
 */
export async function builtOutput(
  { endpoint, outputFormat: kind, output, lines, append, sources, steps }: BatchCommandOptions,
  toFile: boolean,
  own: readonly string[],
): Promise<BuiltOutput | null> {
  if (!isBuilt(kind) || output === null) return null;
  if (!toFile) throw new UsageError('invalid_parameter', `${output} is no file, which ${kind} must be.`);
  return { endpoint, kind, file: output, lines, append, sources, own, news: steps.new !== undefined };
}

/**
 * Creates the database that a run appends to, if it also holds the run's history: changes are in it from the first
 * answer on, and results when the run is complete. The file of an interrupted run can be read like any other.
 */
export async function makeOutputOfHistory(options: BatchCommandOptions, history: string): Promise<void> {
  const { endpoint, output, append, sources, steps } = options;
  if (!append || output === null) return;
  if (path.resolve(output) !== path.resolve(history)) return;
  const { makeDatabase } = await import('../../../files/result-files/write-file.js');
  await makeDatabase(output, { endpoint, inputs: true, sources, news: steps.new !== undefined });
}

/**
 * Returns the files that a run leaves next to its output in the user's folder; those of an object are in the data
 * directory.
 */
export function keptFiles(
  { output, bucket }: Pick<BatchCommandOptions, 'output' | 'bucket'>,
  built: BuiltOutput | null,
): KeptFiles | undefined {
  if (output === null || bucket !== undefined) return undefined;
  const uses = ['--resume', '--retry-failed', ...(built === null ? [] : ['convert'])];
  return { output, lines: built === null ? null : linesFile(built), uses };
}

/** Opens the file for the lines of the batch. */
export async function openSession(
  {
    endpoint,
    outputFormat,
    all,
    flatten,
    append,
    csv,
    sources,
    defaults,
    set,
    map,
    chained,
    mode,
  }: BatchCommandOptions,
  file: string,
  steps: Pick<LineSteps, 'identity'>,
  built: BuiltOutput | null,
  onSaved: OnSaved | undefined,
  added: string | null,
): Promise<BatchFile> {
  const shape = {
    ...{ output: outputFormat, all, flatten },
    ...(append ? { append } : {}),
    ...(csv.raw === true ? { csvRaw: true } : {}),
    ...(csv.excel === undefined ? {} : { csvExcel: csv.excel }),
    ...(sources ? { sources } : {}),
    ...steps.identity,
    ...(defaults.demo === undefined ? {} : { demo: true }),
    ...(Object.keys(map).length === 0 ? {} : { map: JSON.stringify(map) }),
    ...(Object.keys(set).length === 0 ? {} : { set: JSON.stringify(set) }),
    ...(chained?.isFirst !== false || chained.maxItems === undefined ? {} : { thenLimit: chained.maxItems }),
  };
  const opening = { mode, clock: systemClock, batch: { endpoint: endpoint.path, shape }, onSaved };
  if (added !== null) return openAdded({ ...opening, file }, added);
  if (built === null) return openBatchFile({ ...opening, file });
  return openBuiltOutput(built, opening);
}

/** The destination of a batch's lines: their file, or the output stream. */
interface LineTarget {
  readonly file: BatchFile | undefined;
  /** Null for the standard output. */
  readonly output: string | null;
  readonly id: string;
  readonly onSaved?: OnSaved | undefined;
}

/** Runs a batch into its lines. */
export async function runLines(
  context: Context,
  run: BatchRun,
  { file, output, id, onSaved }: LineTarget,
): Promise<BatchOutcome> {
  if (file !== undefined) return runToFile(run, file);
  const { lines, close } = await streamTo(context, output, onSaved);
  try {
    return await runToStream(run, lines, id);
  } finally {
    await close();
  }
}

/** The output that a batch builds from its lines. */
interface MadeOutput {
  /** Null if the lines are the output. */
  readonly built: BuiltOutput | null;
  /** Set for a text file that the lines are appended to, with its header. */
  readonly added?: { readonly file: string; readonly head: string } | undefined;
  readonly id: string;
  /** Set for the object of a bucket. */
  readonly upload: OutputUpload | undefined;
}

/** Builds the output of a finished batch, which counts as unfinished if that fails. */
export async function finishOutput(
  { stderr, signal }: Context,
  { quiet }: Pick<BatchCommandOptions, 'quiet'>,
  ended: BatchOutcome,
  { built, added, id, upload }: MadeOutput,
): Promise<BatchOutcome> {
  const file = built?.file ?? added?.file;
  if (ended.finished && file !== undefined) {
    if (stderr.isTTY && !quiet) await stderr.write(`Writing ${printable(file)} …\n`);
    try {
      if (built !== null) await buildOutput(built, { id, clock: systemClock, signal });
      else if (added !== undefined) await addLines(added.file, id, added.head);
    } catch (error) {
      return { ...ended, finished: false, error: signal.aborted ? null : error };
    }
  }
  return upload === undefined ? ended : upload.send(ended);
}

/** Opens the standard output, or a path that is not a regular file. */
async function streamTo({ stdout }: Context, output: string | null, onSaved?: OnSaved) {
  if (output === null) {
    const write = (text: string) => stdout.write(stdout.isTTY ? printableJson(text) : text);
    return { lines: streamOutput(write, onSaved), close: async () => undefined };
  }
  const handle = await open(output, 'w').catch((cause: unknown) => {
    throw openFault(output, cause);
  });
  const write = (text: string) =>
    handle.writeFile(text).catch((cause: unknown) => {
      throw writeFault(cause);
    });
  return { lines: streamOutput(write, onSaved), close: () => handle.close() };
}
