import { type Command, Option } from 'commander';
import type { OnRefusal } from '../../../../lib/batch/backoff.js';
import type { Endpoint } from '../../../../lib/endpoint.js';
import { contractPath } from '../../../../lib/platforms.js';
import { nearestPaths, suggestion } from '../../../../lib/runtime/nearest-words.js';
import type { EndpointInputs } from '../../../files/batch-files/addressed-inputs.js';
import { formatOfName, type InputFormat, inputFormats } from '../../../files/batch-files/input.js';
import type { OpenMode } from '../../../files/batch-files/open-batch-file.js';
import { type ParamMap, parseParamMap, parseSetParams } from '../../../files/batch-files/param-map.js';
import {
  isAppendable,
  isBuilt,
  type OutputKind,
  outputKinds,
} from '../../../files/result-files/file-kind.js';
import type { PlannedRun, StepValues } from '../../../lines/step.js';
import type { OnlyNewValues } from '../../../lines/steps/only-new.js';
import type { CsvStyle } from '../../../output/csv-cells.js';
import { quotedFor } from '../../../output/shell-words.js';
import type { BatchBucket } from '../bucket/batch-bucket.js';
import { timeSpan, wholeNumber } from '../number-arguments.js';
import {
  addCsvOptions,
  csvStyleOf,
  noSourcesOption,
  type Options,
  optionsOf,
  wantsSources,
} from '../output.js';
import { outputKindOf } from '../output-kind.js';
import { addStepOptions, stepValuesOf } from '../step-options.js';
import { UsageError } from '../usage-error.js';

const progressKinds = ['view', 'jsonl', 'none'] as const;
type ProgressKind = (typeof progressKinds)[number];

export function typedArgs(command: Command): readonly string[] {
  return command.parent === null
    ? (command as Command & { rawArgs: readonly string[] }).rawArgs
    : typedArgs(command.parent);
}

export function resumeCommand(command: Command): string {
  const commandArgs = typedArgs(command);
  const options = optionsOf(commandArgs);
  const same = options.filter((arg) => arg !== '--overwrite');
  const resumes = same.includes('--resume') || same.includes('--retry-failed');
  const words = ['extract', ...same, ...(resumes ? [] : ['--resume']), ...commandArgs.slice(options.length)];
  return words.map((word) => quotedFor(word)).join(' ');
}

/** The position of a batch in a chain. */
interface ChainStage {
  readonly isFirst: boolean;
  /** Maximum number of items of each answer passed to the next stage. */
  readonly maxItems: number | undefined;
  readonly spent: number;
  /** File for the plain lines that the next stage reads, if the output has pseudonyms. */
  readonly plain?: string | undefined;
}

export interface BatchCommandOptions {
  readonly endpoint: Endpoint;
  /** Null for the standard input. */
  readonly input: string | null;
  /** Null to detect it from the content. */
  readonly inputFormat: InputFormat | null;
  readonly map: ParamMap;
  /** Null for the standard output. */
  readonly output: string | null;
  readonly outputFormat: OutputKind;
  /** The file of lines that the output is built from, if it has another name than the output suggests. */
  readonly lines?: string | undefined;
  /** The inputs of one endpoint from a file of URLs, instead of `input`. */
  readonly addressed?: EndpointInputs | undefined;
  /** Set for a stage of a chain. */
  readonly chained?: ChainStage | undefined;
  readonly append: boolean;
  readonly csv: CsvStyle;
  readonly sources: boolean;
  readonly steps: StepValues & OnlyNewValues;
  readonly mode: OpenMode;
  /** The bucket to which the output, a local file, is uploaded. */
  readonly bucket?: BatchBucket | undefined;
  /** Folder to save every fetched page in. */
  readonly savePages?: string | undefined;
  readonly all: boolean;
  readonly flatten: boolean;
  /** Parameters for inputs that do not set them; `set` holds those from `--set`. */
  readonly defaults: Readonly<Record<string, unknown>>;
  readonly set: Readonly<Record<string, unknown>>;
  /** Concurrent requests to the platform, and milliseconds between two; undefined for the default pace. */
  readonly concurrency: number | undefined;
  readonly paceMs: number | undefined;
  readonly limitCredits: number | undefined;
  readonly onRefusal: OnRefusal;
  readonly waitAtMostMs: number;
  readonly dryRun: boolean;
  /** Undefined for a view on a terminal, and nothing elsewhere. */
  readonly progress: ProgressKind | undefined;
  readonly quiet: boolean;
  readonly color: boolean;
  readonly json: boolean;
}

/** The options shared by batches, areas and grids. */
export type RunOptions = Partial<BatchCommandOptions> &
  Omit<ReturnType<typeof runOptionsOf>, 'bucket'> &
  Pick<BatchCommandOptions, 'endpoint' | 'outputFormat' | 'sources' | 'all' | 'flatten' | 'defaults'>;

function suggestPaths(path: string, endpoints: readonly Endpoint[]): string {
  const paths = endpoints.map((one) => one.path);
  return suggestion(nearestPaths(path, paths)) || `Endpoints: ${paths.join(', ')}.`;
}

export function requireEndpoint(path: string, endpoints: readonly Endpoint[]): Endpoint {
  const endpointPath = contractPath(path);
  const endpoint = endpoints.find((one) => one.path === endpointPath);
  if (endpoint !== undefined) return endpoint;
  throw new UsageError(
    'invalid_parameter',
    `Unknown endpoint ${JSON.stringify(path.slice(0, 80))}.`,
    suggestPaths(path, endpoints),
  );
}

export function inputFormatOption(): Option {
  const meaning = 'Format of the input, if its name and content do not tell';
  return new Option('--input-format <format>', meaning).choices(inputFormats);
}

/** Adds the options of a batch that runs once and can be resumed. */
function addOnceOptions(command: Command): Command {
  return command
    .option('--dry-run', 'Show how long it will take and which lines are invalid, without any request')
    .optionsGroup('Chains:')
    .option(
      '--then <endpoint>',
      'Run this endpoint over the items of the answers; may be repeated; needs -o',
      (path: string, before: readonly string[]) => [...before, path],
      [],
    )
    .option(
      '--then-limit <number>',
      'Maximum items of each answer to pass to the next endpoint',
      wholeNumber(1, 999_999_999),
    )
    .optionsGroup('Resume and retry:')
    .option('--resume', 'Resume an unfinished output, or start a new one')
    .option('--retry-failed', 'Run the failed inputs of a finished output again, and rewrite it')
    .option('--overwrite', 'Start over and replace an existing file');
}

/** Adds the options of `extract batch`; with `once`, also the options of a single run. */
export function addBatchOptions(command: Command, { once }: { readonly once: boolean }): Command {
  command
    .optionsGroup('Input and output:')
    .option(
      '-o, --output <file>',
      'Write to this new file, with a checkpoint next to it, or to a bucket (s3://bucket/name.csv). Its extension sets the format: .ndjson, .json, .csv, .tsv, .xlsx, .sqlite or .parquet. Default: stdout',
    )
    .addOption(inputFormatOption())
    .option(
      '--map <param=field>',
      'Take a parameter from this field or column, such as id=video_id; may be repeated',
      (pair: string, before: readonly string[]) => [...before, pair],
      [],
    )
    .option(
      '--set <param=value>',
      'Default parameter for all inputs, such as limit=5; may be repeated',
      (pair: string, before: readonly string[]) => [...before, pair],
      [],
    )
    .addOption(
      new Option('--format <format>', 'Format of the output, if its file name does not tell').choices(
        outputKinds,
      ),
    );
  addCsvOptions(command)
    .option('--sources', 'Add to each item its ID, URL, author, position and time; tables always have them')
    .addOption(noSourcesOption())
    .option('--all', 'Read all pages of each list; each page costs one call')
    .option('--flatten', 'One line for each item of a list')
    .option(
      '--append',
      'Add to an existing file: SQLite, where existing items are updated, NDJSON, CSV or TSV',
    );
  addStepOptions(command, 'batch')
    .optionsGroup('Calls:')
    .option('--save-pages <dir>', 'Save every fetched page to this folder; skips the cache')
    .option('--fresh', 'Skip the cache and fetch now')
    .option('--demo', 'Return sample data, without a network')
    .option(
      '--concurrency <number>',
      'Simultaneous requests to the platform. Default: its polite pace',
      wholeNumber(1, 256),
    )
    .option('--pace-ms <number>', 'Milliseconds between two requests; 0 for none', wholeNumber(0, 3_600_000))
    .option(
      '--limit-credits <number>',
      'Stop before the batch spends more than this',
      wholeNumber(0, 999_999_999),
    )
    .addOption(
      new Option(
        '--on-refusal <what>',
        'When the platform refuses: wait until it answers, stop immediately, or fail the input',
      )
        .choices(['wait', 'stop', 'fail'])
        .default('wait'),
    )
    .addOption(
      new Option(
        '--wait-at-most <time>',
        'How long to wait for a platform that does not answer: 90m, 12h, 2d',
      )
        .argParser(timeSpan)
        .default(12 * 3_600_000, '12h'),
    );
  if (once) addOnceOptions(command);
  return command
    .optionsGroup('Progress:')
    .addOption(new Option('--progress <kind>', 'How to show progress, on stderr').choices(progressKinds))
    .option('-q, --quiet', 'No progress and no summary')
    .option('--json', 'Print errors and the dry run as JSON')
    .option('--no-color', 'No colours');
}

/** Adds the option for the endpoint of results that have no checkpoint. */
export function addInputEndpoint(command: Command): Command {
  return command.option(
    '--endpoint <endpoint>',
    'Endpoint of the results, if there is no checkpoint next to them',
  );
}

function modeOf(options: Options, output: string | null): OpenMode {
  const modes = (['resume', 'retryFailed', 'overwrite'] as const).filter((name) => options[name] === true);
  const [first, second] = modes.map((name) => (name === 'retryFailed' ? '--retry-failed' : `--${name}`));
  if (second !== undefined) {
    throw new UsageError('conflicting_parameters', `Give either ${first} or ${second}, not both.`);
  }
  if (first !== undefined && output === null) {
    throw new UsageError('missing_parameter', `${first} needs the output file: -o FILE.`);
  }
  if (first === undefined) return 'begin';
  return first === '--retry-failed' ? 'retry' : options.resume === true ? 'resume' : 'overwrite';
}

const hasRows = (kind: OutputKind) => kind === 'csv' || kind === 'tsv';

function requireFile(kind: OutputKind, output: string | null): void {
  if (isBuilt(kind) && output === null) {
    throw new UsageError('missing_parameter', `--format ${kind} needs the output file: -o FILE.`);
  }
}

export function requireAppendable(kind: OutputKind, output: string | null): void {
  if (output === null) throw new UsageError('missing_parameter', '--append needs the output file: -o FILE.');
  if (!isAppendable(kind))
    throw new UsageError(
      'invalid_parameter',
      `Cannot append to ${kind}. --append works with .sqlite, .ndjson, .csv and .tsv.`,
    );
}

export function runOptionsOf(options: Options) {
  const output = (options.output as string | undefined) ?? null;
  return {
    output,
    append: options.append === true,
    steps: stepValuesOf(options) as BatchCommandOptions['steps'],
    mode: modeOf(options, output),
    bucket: options.bucket as BatchBucket | undefined,
    limitCredits: options.limitCredits as number | undefined,
    dryRun: options.dryRun === true,
    quiet: options.quiet === true,
    color: options.color !== false,
    json: options.json === true,
  };
}

export function batchOptionsOf(
  path: string,
  file: string | undefined,
  options: Options,
  endpoints: readonly Endpoint[],
): BatchCommandOptions {
  const endpoint = requireEndpoint(path, endpoints);
  if (options.all === true && endpoint.page === null) {
    throw new UsageError('invalid_parameter', `${path} has no pages to follow with --all.`);
  }
  if (options.flatten === true && !endpoint.many) {
    throw new UsageError('invalid_parameter', `${path} returns one object, so --flatten does not apply.`);
  }
  const input = file === undefined || file === '-' ? null : file;
  const output = (options.output as string | undefined) ?? null;
  const outputFormat = (options.format as OutputKind | undefined) ?? outputKindOf(output ?? '');
  requireFile(outputFormat, output);
  if (options.append === true) requireAppendable(outputFormat, output);
  const csv = csvStyleOf(options, outputFormat);
  const sources = wantsSources(options, outputFormat);
  const set = parseSetParams(options.set as readonly string[], endpoint);
  return {
    endpoint,
    input,
    inputFormat: (options.inputFormat as InputFormat | undefined) ?? formatOfName(input ?? ''),
    map: parseParamMap(options.map as readonly string[], endpoint),
    ...runOptionsOf(options),
    outputFormat,
    csv,
    sources,
    savePages: options.savePages as string | undefined,
    all: options.all === true,
    // A table row holds one item.
    flatten: (options.flatten === true && !isBuilt(outputFormat)) || (hasRows(outputFormat) && endpoint.many),
    set,
    defaults: {
      ...set,
      ...(options.fresh === true ? { fresh: true } : {}),
      ...(options.demo === true ? { demo: true } : {}),
      ...(sources ? { sources: true } : {}),
    },
    concurrency: options.concurrency as number | undefined,
    paceMs: options.paceMs as number | undefined,
    onRefusal: options.onRefusal as OnRefusal,
    waitAtMostMs: options.waitAtMost as number,
    progress: options.progress as ProgressKind | undefined,
  };
}

/** Returns a batch as its steps see it before the run. */
export const plannedBatch = ({
  endpoint,
  all,
  output,
  outputFormat,
  append,
}: BatchCommandOptions): Omit<PlannedRun, 'isForeign' | 'nameOf'> => ({
  ...{ kind: 'batch', endpoint, all },
  output: output === null ? null : { file: output, kind: outputFormat, append },
});
