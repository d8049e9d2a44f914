import path from 'node:path';
import { digest } from '../../../../lib/call/cursor.js';
import type { Endpoint } from '../../../../lib/endpoint.js';
import { addedLines } from '../../../files/batch-files/appended-output.js';
import { hasCaptions, mediaFields } from '../../../files/media/media-items.js';
import { isBuilt } from '../../../files/result-files/file-kind.js';
import type { Options } from '../output.js';
import { UsageError } from '../usage-error.js';
import { type BatchCommandOptions, batchOptionsOf, requireEndpoint } from './batch-options.js';

/** Options that a chain rejects, because their meaning would differ by stage. */
const rejectedOptions: Readonly<Record<string, string>> = {
  retryFailed: '--retry-failed',
  flatten: '--flatten',
  notify: '--notify',
};

/** Returns a stage's file: `tea.2-shortvideo-comments.xlsx` for `tea.xlsx`. */
function stageFile(output: string, stage: number, endpoint: Endpoint, ending?: string): string {
  const { dir, name, ext } = path.parse(output);
  return path.join(dir, `${name}.${stage}-${endpoint.path.replace('/', '-')}${ending ?? ext}`);
}

export function linesOf({ output, outputFormat, lines, append }: BatchCommandOptions): string {
  if (append && output !== null && outputFormat !== 'sqlite') return addedLines(output);
  return isBuilt(outputFormat) ? (lines ?? `${output}.ndjson`) : (output as string);
}

/** Sets the output and lines of a stage: its own file, or its tables in the shared database. */
function inFile(options: BatchCommandOptions, output: string, stage: number): BatchCommandOptions {
  const { endpoint, outputFormat } = options;
  if (outputFormat !== 'sqlite') return { ...options, output: stageFile(output, stage, endpoint) };
  return { ...options, output, append: true, lines: stageFile(output, stage, endpoint, '.ndjson') };
}

/**
 * Returns the options of a stage without those for files that its answers do not have. The last stage keeps those that
 * no stage can use, so that they are refused with the endpoints that can.
 */
function mediaOptions(
  { media, captions }: Options,
  endpoint: Endpoint,
  all: readonly Endpoint[],
): Pick<Options, string> {
  const isUsed = (has: (one: Endpoint) => boolean) =>
    all.some(has) ? has(endpoint) : endpoint === all.at(-1);
  const usesCaptions = captions === true && isUsed(hasCaptions);
  const saves = usesCaptions || isUsed((one) => mediaFields(one).length > 0);
  return { media: saves ? media : undefined, captions: usesCaptions ? true : undefined };
}

/**
 * Parses the command line of a chain. Throws a usage error if it is invalid. `plainFolder` is for the plain lines of
 * stages with pseudonyms, which the next stage cannot read.
 */
export function chainOptionsOf(
  paths: readonly string[],
  file: string | undefined,
  options: Options,
  endpoints: readonly Endpoint[],
  plainFolder: string | null,
): readonly BatchCommandOptions[] {
  const { output } = options;
  if (typeof output !== 'string') {
    throw new UsageError('missing_parameter', '--then needs the output file: -o FILE.');
  }
  const other = Object.keys(rejectedOptions).find(
    (name) => options[name] !== undefined && options[name] !== false,
  );
  if (other !== undefined) {
    throw new UsageError(
      'conflicting_parameters',
      `--then cannot be combined with ${rejectedOptions[other]}.`,
    );
  }
  const maxItems = options.thenLimit as number | undefined;
  const stages: BatchCommandOptions[] = [];
  const all = paths.map((one) => requireEndpoint(one, endpoints));
  for (const [at, endpointPath] of paths.entries()) {
    const previous = stages.at(-1);
    const isLast = at === paths.length - 1;
    const endpoint = all[at] as Endpoint;
    const stageOptions = {
      ...options,
      // Items linked by address or author can only be found by their source.
      ...(isLast ? {} : { sources: true }),
      ...(previous === undefined
        ? {}
        : {
            new: undefined,
            newCounts: undefined,
            when: undefined,
            map: [],
            set: [],
            inputFormat: undefined,
          }),
      ...(endpoint.page === null ? { all: false } : {}),
      ...mediaOptions(options, endpoint, all),
    };
    const input = previous === undefined ? file : (previous.chained?.plain ?? linesOf(previous));
    const stage = inFile(batchOptionsOf(endpointPath, input, stageOptions, endpoints), output, at + 1);
    const plain =
      plainFolder === null || isLast
        ? undefined
        : path.join(plainFolder, `${digest([path.resolve(linesOf(stage))])}.ndjson`);
    stages.push({ ...stage, chained: { isFirst: previous === undefined, maxItems, spent: 0, plain } });
  }
  if (options.all === true && stages.every(({ all }) => !all)) {
    throw new UsageError('invalid_parameter', 'None of the stages has pages to follow with --all.');
  }
  return stages;
}
