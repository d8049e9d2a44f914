import { createReadStream, existsSync } from 'node:fs';
import path from 'node:path';
import { batchId } from '../../../../lib/batch/batch.js';
import type { Endpoint } from '../../../../lib/endpoint.js';
import { brandOf, contractPath, sites } from '../../../../lib/platforms.js';
import { isoTime } from '../../../../lib/read/iso-time.js';
import { systemClock } from '../../../../lib/runtime/clock.js';
import { addressedInputs, type EndpointInputs } from '../../../files/batch-files/addressed-inputs.js';
import { fileSize } from '../../../files/batch-files/batch-paths.js';
import { openSource } from '../../../files/batch-files/read-inputs.js';
import type { OutputKind } from '../../../files/result-files/file-kind.js';
import { type WorkbookPart, writeWorkbook } from '../../../files/result-files/write-file.js';
import { quantity } from '../../../output/number-text.js';
import type { Context } from '../context.js';
import { ExitStatusError } from '../exit-status-error.js';
import type { Options } from '../output.js';
import { outputKindOf } from '../output-kind.js';
import { printable } from '../printable.js';
import { wrapText } from '../terminal-text.js';
import { UsageError } from '../usage-error.js';
import { decodedText } from './batch-inputs.js';
import { type BatchCommandOptions, batchOptionsOf } from './batch-options.js';
import { runStages } from './run-stages.js';

/** True if a word replaces the endpoint by a file of URLs: an existing file, or stdin. */
export async function isAddressFile(word: string, endpoints: readonly Endpoint[]): Promise<boolean> {
  const endpointPath = contractPath(word);
  // For a platform and a file without an endpoint, the error names what is missing.
  if (
    endpoints.some(({ path, platform }) => path === endpointPath || endpointPath.startsWith(`${platform}/`))
  )
    return false;
  if (word === '-' || /\.(?:txt|csv|tsv|xlsx|ndjson|jsonl?)$/i.test(word)) return true;
  return existsSync(word);
}

const rejectedOptions: readonly (readonly [name: string, option: string])[] = [
  ...['then', 'map', 'set', 'notify', 'media', 'flatten'].map((name) => [name, `--${name}`] as const),
  ['bucket', '-o s3://…'],
];

const isSet = (value: unknown) =>
  Array.isArray(value) ? value.length > 0 : value !== undefined && value !== false;

/** `tiktok/profile`, as people type it. */
const nameOf = ({ platform, name }: Endpoint) =>
  `${sites.find((site) => site.platform === platform)?.alias ?? platform}/${name}`;

/** `out.csv` becomes `out.tiktok-profile.csv`. */
function fileOf(output: string, endpoint: Endpoint): string {
  const { dir, name, ext } = path.parse(output);
  return path.join(dir, `${name}.${nameOf(endpoint).replace('/', '-')}${ext}`);
}

/** “out.xlsx.tiktok-profile.ndjson”: the lines that a workbook or database is built from. */
const linesOf = (output: string, endpoint: Endpoint) =>
  `${output}.${nameOf(endpoint).replace('/', '-')}.ndjson`;

/**
 * Returns the options for one endpoint: its own file, its tables in the shared database, or its lines for the shared
 * workbook.
 */
function partOf(
  group: EndpointInputs,
  options: Options,
  kind: OutputKind,
  endpoints: readonly Endpoint[],
): BatchCommandOptions {
  const { endpoint } = group;
  const all = options.all === true && endpoint.page !== null;
  const part = batchOptionsOf(endpoint.path, undefined, { ...options, all }, endpoints);
  const { output } = part;
  const one = { ...part, addressed: group, chained: { isFirst: true, maxItems: undefined, spent: 0 } };
  if (output === null) return one;
  if (kind === 'xlsx') return { ...one, outputFormat: 'ndjson', output: linesOf(output, endpoint) };
  if (kind === 'sqlite') return { ...one, append: true, lines: linesOf(output, endpoint) };
  return { ...one, output: fileOf(output, endpoint) };
}

/** Writes the workbook from the lines of all endpoints, with sheets under their brand names. */
async function buildWorkbook(file: string, parts: readonly BatchCommandOptions[], context: Context) {
  const workbookParts = parts.map(
    ({ endpoint, output, sources, steps, addressed }): WorkbookPart => ({
      ...{
        endpoint,
        sources,
        inputs: true,
        onlyNew: steps.new !== undefined,
        ownColumns: addressed?.ownColumns,
      },
      title: `${brandOf(endpoint.platform)} ${endpoint.name}`,
      readLines: () => createReadStream(output as string, { highWaterMark: 64 * 1024 }),
    }),
  );
  const [first, ...others] = workbookParts as [WorkbookPart, ...WorkbookPart[]];
  const run = { id: batchId(), at: isoTime(systemClock.now()) };
  await writeWorkbook(file, run, [first, ...others], context.signal);
}

/**
 * Runs a batch over a file of URLs, each with the endpoint that reads it. Endpoints run one after the other, each with
 * its own checkpoint. The results are one workbook or database, one file per endpoint, or lines that name their
 * endpoint. Throws the error or the exit status that ended the run.
 */
export async function runAddressed(
  context: Context,
  word: string,
  options: Options,
  resumeHint: string,
): Promise<void> {
  const other = rejectedOptions.find(([name]) => isSet(options[name]));
  if (other !== undefined)
    throw new UsageError(
      'conflicting_parameters',
      `${other[1]} needs an endpoint: extract batch ENDPOINT ${word}.`,
    );
  const { endpoints, stderr } = context;
  const output = (options.output as string | undefined) ?? null;
  const kind = (options.format as OutputKind | undefined) ?? outputKindOf(output ?? '');
  if (output === null && kind !== 'ndjson')
    throw new UsageError('missing_parameter', `--format ${kind} needs the output file: -o FILE.`);
  const source = word === '-' ? context.stdin() : await openSource(word);
  const { groups, blank, decoded } = await addressedInputs(source.chunks, word, endpoints).finally(() =>
    source.close(),
  );
  const parts = groups.map((group) => partOf(group, options, kind, endpoints));
  const [first] = parts as [BatchCommandOptions, ...BatchCommandOptions[]];
  const isBook = kind === 'xlsx' && output !== null;
  if (isBook && first.mode === 'begin' && (await fileSize(output)) !== null)
    throw new UsageError(
      'invalid_parameter',
      `${output} exists: --resume continues the batch that wrote it, --overwrite starts over.`,
    );
  const says = !first.quiet && first.progress !== 'jsonl' && !(first.dryRun && first.json);
  if (says) {
    const read = ({ inputs }: EndpointInputs) => inputs.filter(({ fault }) => fault === null).length;
    const invalid = groups.reduce((sum, group) => sum + group.inputs.length - read(group), 0);
    const counts = [
      ...groups.map((group) => `${read(group)} for ${nameOf(group.endpoint)}`),
      ...(invalid === 0 ? [] : [`${invalid} invalid`]),
    ];
    const skipped = blank === 0 ? '' : ` ${quantity(blank, 'row')} without a URL skipped.`;
    const encoding = decoded === undefined ? '' : ` ${printable(decodedText(decoded))}`;
    await stderr.write(await wrapText(`URLs: ${counts.join(', ')}.${skipped}${encoding}\n`, stderr));
  }
  const status = await runStages(context, parts, resumeHint, {
    async announce({ output: file, endpoint }) {
      const at = file === null ? '' : ` → ${printable(isBook ? output : file)}`;
      if (says && parts.length > 1) await stderr.write(`${nameOf(endpoint)}${at}\n`);
    },
    async postpone({ endpoint }) {
      const brand = brandOf(endpoint.platform);
      if (says)
        await stderr.write(`${nameOf(endpoint)} is read after the others, because ${brand} refuses.\n`);
    },
  });
  if (isBook && !first.dryRun) await buildWorkbook(output, parts, context);
  if (status !== 0) throw new ExitStatusError(status);
}
