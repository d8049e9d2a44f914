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

/** Lines that say which endpoint they are of. */
const endpointLines = ({ path }: Endpoint, format: LineFormat): LineFormat => ({
  ...format,
  lines: (result) => format.lines(result).replace(/^\{/gm, `{"endpoint":${JSON.stringify(path)},`),
});

/** The format of the lines: of the output, or of what it is built from. `own`: columns of the user's own. */
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

/** A file that is no regular one, such as a pipe or a device, cannot be taken up again. */
export async function isStream(file: string): Promise<boolean> {
  return stat(file).then(
    (about) => !about.isFile() && !about.isDirectory(),
    () => false,
  );
}

/** The output that is built at the end; null where lines are written into it. Throws a usage error for a stream. */
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
 * Makes the database that a run adds to, where it is to hold the run's history, too: changes stand in it from the first
 * answer on, and results when the run is whole. The file of an interrupted run can be read like any other.
 */
export async function makeOutputOfHistory(options: BatchCommandOptions, history: string): Promise<void> {
  const { endpoint, output, append, sources, steps } = options;
  if (!append || output === null) return;
  if (path.resolve(output) !== path.resolve(history)) return;
  const { makeDatabase } = await import('../../../files/result-files/write-file.js');
  await makeDatabase(output, { endpoint, inputs: true, sources, news: steps.new !== undefined });
}

/** The files that a run leaves in the user's folder, beside its output; those of an object are in the data directory. */
export function keptFiles(
  { output, bucket }: Pick<BatchCommandOptions, 'output' | 'bucket'>,
  built: BuiltOutput | null,
): KeptFiles | undefined {
  if (output === null || bucket !== undefined) return undefined;
  const uses = ['--resume', '--retry-failed', ...(built === null ? [] : ['convert'])];
  return { output, lines: built === null ? null : linesFile(built), uses };
}

/** Opens the file that the lines of the batch go to. */
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

/** Where the lines of a batch go: into their file, or into the stream that the output is. */
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

/** The output that a batch makes of its lines. */
interface MadeOutput {
  /** Null where the lines are the output. */
  readonly built: BuiltOutput | null;
  /** Set for a file of text that the lines are added to, and what it begins with. */
  readonly added?: { readonly file: string; readonly head: string } | undefined;
  readonly id: string;
  /** Set for the object of a bucket. */
  readonly upload: OutputUpload | undefined;
}

/** Makes the output of a finished batch, which is not finished where that fails. */
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

/** The standard output, or what a path names that is no file. */
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
