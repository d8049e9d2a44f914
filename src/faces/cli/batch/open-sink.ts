import { open, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Endpoint } from '../../../../lib/endpoint.js';
import { systemClock } from '../../../../lib/runtime/clock.js';
import { addedFile } from '../../../files/batch-files/appended-output.js';
import type { BatchShape } from '../../../files/batch-files/batch-file.js';
import { checkBuiltFile, openBuiltFile } from '../../../files/batch-files/built-file.js';
import { type LineFormat, ndjsonFormat } from '../../../files/batch-files/line-format.js';
import type { LookedUp } from '../../../files/batch-files/looked-up.js';
import { checkBatchFile, openBatchFile } from '../../../files/batch-files/open-batch-file.js';
import { type OnSaved, streamOutput } from '../../../files/batch-files/output.js';
import { openFault, writeFault } from '../../../files/batch-files/output-fault.js';
import { resultFile } from '../../../files/batch-files/result-output.js';
import { type BuiltFile, type RunSink, streamSink } from '../../../files/batch-files/run-sink.js';
import { isBuilt } from '../../../files/result-files/file-kind.js';
import type { LineSteps } from '../../../lines/run-steps.js';
import type { Context } from '../context.js';
import { printableJson } from '../printable.js';
import { UsageError } from '../usage-error.js';
import type { RunOptions } from './batch-options.js';

/** What a run requires of its sink, in addition to the options. */
export interface SinkRequest {
  /** The user's columns in the output. */
  readonly ownColumns: readonly string[];
  readonly identity: LineSteps['identity'];
  /** Other settings that a resumed run must repeat. */
  readonly shape?: Readonly<Record<string, string>> | undefined;
  /** A report built from the lines, instead of a results file. */
  readonly report?: BuiltFile | undefined;
  /** Receives the lines instead of stdout. */
  readonly write?: ((text: string) => Promise<void>) | undefined;
}

const endpointLines = ({ path }: Endpoint, format: LineFormat): LineFormat => ({
  ...format,
  lines: (result) => format.lines(result).replace(/^\{/gm, `{"endpoint":${JSON.stringify(path)},`),
});

/** Returns the format of the lines. */
async function formatOf(
  { endpoint, outputFormat, flatten, csv, sources, steps, output, addressed }: RunOptions,
  { ownColumns, report }: SinkRequest,
): Promise<LineFormat> {
  if (outputFormat !== 'csv' && outputFormat !== 'tsv') {
    return addressed !== undefined && output === null
      ? endpointLines(endpoint, ndjsonFormat(flatten))
      : ndjsonFormat(flatten, report !== undefined || isBuilt(outputFormat));
  }
  const { csvFormat } = await import('../../../files/batch-files/csv-format.js');
  return csvFormat(endpoint, {
    ...{ ...csv, tabs: outputFormat === 'tsv', sources, ownColumns, onlyNew: steps.new !== undefined },
  });
}

/** True for a pipe or device, where a batch cannot resume. */
const isStream = (file: string): Promise<boolean> =>
  stat(file).then(
    (about) => !about.isFile() && !about.isDirectory(),
    () => false,
  );

/** Returns the file built from the lines; null if the lines are the output. Throws a usage error for a stream. */
function builtFileOf(
  { endpoint, outputFormat: kind, output, lines, append, sources, steps }: RunOptions,
  ownColumns: readonly string[],
  { head }: LineFormat,
  toFile: boolean,
): BuiltFile | null {
  if (output === null) return null;
  if (!isBuilt(kind)) return append && toFile ? addedFile(output, head) : null;
  if (!toFile)
    throw new UsageError('invalid_parameter', `${output} is not a regular file, which ${kind} requires.`);
  const onlyNew = steps.new !== undefined;
  return resultFile(
    { endpoint, kind, file: output, lines, append, sources, ownColumns, onlyNew },
    systemClock,
  );
}

/**
 * Creates the database of a run that appends to the database with its history. Changes are written from the first
 * answer on, results when the run is complete.
 */
export async function makeOutputOfHistory(options: RunOptions, history: string): Promise<void> {
  const { endpoint, output, append, sources, steps } = options;
  if (!append || output === null || path.resolve(output) !== path.resolve(history)) return;
  const { makeDatabase } = await import('../../../files/result-files/write-file.js');
  await makeDatabase(output, { endpoint, inputs: true, sources, onlyNew: steps.new !== undefined });
}

/** Returns what a resumed run must repeat. */
function shapeOf(
  {
    outputFormat,
    all,
    flatten,
    append,
    csv = {},
    sources,
    defaults,
    set = {},
    map = {},
    chained,
  }: RunOptions,
  { identity, shape }: SinkRequest,
): BatchShape['shape'] {
  return {
    ...{ output: outputFormat, all, flatten },
    ...(append ? { append } : {}),
    ...(csv.raw === true ? { csvRaw: true } : {}),
    ...(csv.excel === undefined ? {} : { csvExcel: csv.excel }),
    ...(sources ? { sources } : {}),
    ...identity,
    ...(defaults.demo === undefined ? {} : { demo: true }),
    ...(Object.keys(map).length === 0 ? {} : { map: JSON.stringify(map) }),
    ...(Object.keys(set).length === 0 ? {} : { set: JSON.stringify(set) }),
    ...(chained?.isFirst !== false || chained.maxItems === undefined ? {} : { thenLimit: chained.maxItems }),
    ...shape,
  };
}

/** Opens stdout, or a path that is not a regular file. */
async function openStream(
  { stdout }: Context,
  output: string | null,
  write: SinkRequest['write'],
  onSaved: OnSaved,
): Promise<RunSink> {
  if (output === null) {
    const toStdout = (text: string) => stdout.write(stdout.isTTY ? printableJson(text) : text);
    return streamSink(streamOutput(write ?? toStdout, onSaved));
  }
  const handle = await open(output, 'w').catch((cause: unknown) => {
    throw openFault(output, cause);
  });
  const toFile = (text: string) =>
    handle.writeFile(text).catch((cause: unknown) => {
      throw writeFault(cause);
    });
  return streamSink(streamOutput(toFile, onSaved), () => handle.close());
}

/** Plans the destination of a run's lines. Throws if the output is unusable, before any request. */
export async function planSink(context: Context, options: RunOptions, request: SinkRequest) {
  const { endpoint, output, mode, bucket } = options;
  const toFile = output !== null && !(await isStream(output));
  const format = await formatOf(options, request);
  const target = request.report ?? builtFileOf(options, request.ownColumns, format, toFile);
  const upload = output === null ? undefined : await bucket?.begin(output, mode === 'overwrite');
  const shape = shapeOf(options, request);
  const opening = { mode, clock: systemClock, batch: { endpoint: endpoint.path, shape } };
  return {
    format,
    /** Throws what opening would throw. Returns the look-up of the run to resume. */
    async check(): Promise<LookedUp | undefined> {
      if (!toFile) return undefined;
      return target === null ? checkBatchFile({ ...opening, file: output }) : checkBuiltFile(target, opening);
    },
    async open(lookedUp: LookedUp | undefined, onSaved: OnSaved): Promise<RunSink> {
      if (!toFile) return openStream(context, output, request.write, onSaved);
      let grows = false;
      const growAndSave: OnSaved = async (position, bytes) => {
        if (grows) upload?.grow(bytes);
        await onSaved(position, bytes);
      };
      const sinkOptions = { ...opening, batch: { ...opening.batch, lookedUp }, onSaved: growAndSave };
      const sink =
        target === null
          ? await openBatchFile({ ...sinkOptions, file: output })
          : await openBuiltFile(target, sinkOptions);
      // Intermediate lines are not the object itself, and lines of a retry are not final.
      grows = target === null && sink.retry === undefined;
      if (upload === undefined) return sink;
      return {
        ...sink,
        async finish(signal) {
          await sink.finish(signal);
          await upload.finish();
        },
      };
    },
  };
}
