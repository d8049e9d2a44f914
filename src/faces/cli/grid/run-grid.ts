import { readFile } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { batchId } from '../../../../lib/batch/batch.js';
import { inputsPrice } from '../../../../lib/call/price.js';
import type { Endpoint } from '../../../../lib/endpoint.js';
import { ExtractError } from '../../../../lib/errors/extract-error.js';
import type { MapsPlaceDetail } from '../../../../lib/platforms/maps/objects.js';
import { distance } from '../../../../lib/platforms/maps/point.js';
import { systemClock } from '../../../../lib/runtime/clock.js';
import { batchPaths, fileSize } from '../../../files/batch-files/batch-paths.js';
import {
  type BatchOutcome,
  type BatchRun,
  runToFile,
  runToStream,
} from '../../../files/batch-files/batch-run.js';
import { readCheckpoint } from '../../../files/batch-files/checkpoint.js';
import type { Input } from '../../../files/batch-files/input.js';
import { ndjsonFormat } from '../../../files/batch-files/line-format.js';
import type { LookedUp } from '../../../files/batch-files/looked-up.js';
import {
  type BatchFileOptions,
  checkBatchFile,
  type OpenMode,
  openBatchFile,
} from '../../../files/batch-files/open-batch-file.js';
import { streamOutput } from '../../../files/batch-files/output.js';
import { openFault } from '../../../files/batch-files/output-fault.js';
import { noTotals } from '../../../files/batch-files/totals.js';
import type { GridTitle } from '../../../files/grid/grid-page.js';
import { type GridPoint, gridPoints, reachOf } from '../../../files/grid/points.js';
import { type GridReport, type GridSubject, type PointAnswer, rankGrid } from '../../../files/grid/ranks.js';
import { duration } from '../../../output/duration.js';
import { grouped } from '../../../output/number-text.js';
import { quotedFor } from '../../../output/shell-words.js';
import { type PaceTime, paceTime } from '../batch/pace-time.js';
import { trackBatch } from '../batch/track-batch.js';
import { type KeptFiles, writeSummary } from '../batch/write-summary.js';
import type { BatchBucket } from '../bucket/batch-bucket.js';
import { type CommandExtractor, type Context, withExtractor } from '../context.js';
import { requireWithinLimit } from '../require-within-limit.js';
import { spendableCredits } from '../spendable-credits.js';
import { wrapText } from '../terminal-text.js';
import { writeWhole } from '../write-whole.js';
import { answersOf, type GridKind, gridText } from './grid-output.js';
import { reportText } from './grid-text.js';

type Params = Readonly<Record<string, unknown>>;

export interface GridCommandOptions {
  readonly search: Endpoint;
  readonly detail: Endpoint;
  /** Parameters that identify the place. */
  readonly place: Params;
  readonly query: string;
  readonly size: number;
  readonly spacing: number;
  /** Language, country, and how the calls run. */
  readonly params: Params;
  readonly demo: boolean;
  readonly output: { readonly file: string; readonly kind: GridKind } | null;
  /** The bucket of the object that the output, a local file, becomes. */
  readonly bucket?: BatchBucket | undefined;
  /** Append its rows to the existing table. */
  readonly append: boolean;
  readonly mode: OpenMode;
  readonly limitCredits: number | undefined;
  readonly dryRun: boolean;
  readonly quiet: boolean;
  readonly color: boolean;
  readonly json: boolean;
}

/** Returns the file with the answers of a grid, next to its output. */
export const gridLines = (output: string) => `${output}.ndjson`;

/** Returns the price of a grid: its searches, and the page of its place. */
function priceOf({ search, detail, size, demo }: GridCommandOptions) {
  const calls = size * size;
  const credits = demo ? 0 : inputsPrice(search, calls) + inputsPrice(detail, 1);
  return { points: calls, calls: calls + 1, credits };
}

function priceText(options: GridCommandOptions): string {
  const { points, credits } = priceOf(options);
  if (options.demo) return `${grouped(points)} points of sample data: nothing is requested, nothing charged.`;
  return `${grouped(points)} points: ${grouped(credits)} credits at most, ${options.search.credits} for each and ${options.detail.credits} for the place.`;
}

async function writeEstimate(
  { stdout }: Context,
  options: GridCommandOptions,
  extractor: CommandExtractor,
): Promise<void> {
  const balance = await spendableCredits(extractor);
  const price = priceOf(options);
  const { search, detail, demo } = options;
  const seconds = (which: keyof PaceTime) => {
    const searches = paceTime(search, extractor.config, demo ? 0 : price.points);
    const place = paceTime(detail, extractor.config, demo ? 0 : 1);
    return searches && place ? Math.round((searches[which] + place[which]) / 1000) : null;
  };
  const [expected, most] = [seconds('expected'), seconds('most')];
  const data = {
    ...price,
    seconds: expected,
    seconds_at_most: most,
    balance_before: balance,
    balance_after: balance === null ? null : balance - price.credits,
  };
  const rest =
    balance === null
      ? ''
      : ` Balance: ${grouped(balance)} before, ${grouped(balance - price.credits)} after.`;
  await stdout.write(
    options.json || !stdout.isTTY
      ? `${JSON.stringify({ data })}\n`
      : `${priceText(options)}${expected === null || most === null || demo ? '' : ` It takes about ${duration(expected)}, ${duration(most)} at most.`}${rest}\n`,
  );
}

/** Returns the place as on its own page. Throws for one without coordinates, around which no grid is possible. */
async function askPlace(
  { detail, place, params, demo, limitCredits }: GridCommandOptions,
  extractor: CommandExtractor,
  signal: AbortSignal,
): Promise<LookedUp> {
  requireWithinLimit(detail, demo, limitCredits);
  const { language } = params;
  const asked = { ...place, ...(language === undefined ? {} : { language }), ...(demo ? { demo } : {}) };
  const { json, meta } = await extractor.answer(detail, asked, { signal });
  const { place_id, name, formatted_address, location, rating, user_ratings_total } = JSON.parse(
    json,
  ) as MapsPlaceDetail;
  if (location === null) {
    throw new ExtractError(
      'invalid_parameter',
      `The page of ${name} names no coordinates to lay a grid around.`,
    );
  }
  return {
    asked: String(Object.values(place)[0]),
    charged: meta.credits_charged,
    place: { place_id, name, formatted_address, location, rating, user_ratings_total },
  };
}

/** A search reaches every point's distance to the place: at least its default of five kilometres. */
const radiusOf = (options: GridCommandOptions) =>
  Math.min(50_000, Math.max(5000, Math.ceil(reachOf({ ...options, center: { lat: 0, lng: 0 } })) + 1000));

async function* inputsOf(points: readonly GridPoint[], options: GridCommandOptions): AsyncGenerator<Input> {
  const { query, params, demo } = options;
  for (const [index, { lat, lng }] of points.entries()) {
    const given = { query, lat, lng, radius_m: radiusOf(options), ...params, ...(demo ? { demo } : {}) };
    const echo = JSON.stringify(given);
    const asked = { ...given, sources: true };
    yield { index, line: index + 1, echo, params: asked, fault: null, checksum: crc32(echo), end: 0 };
  }
}

/** In a demo the nearest of the invented places represents one that is not among them. */
function demoSubject(subject: GridSubject, answers: readonly PointAnswer[]): GridSubject {
  const found = answers.flatMap(({ places }) => places ?? []);
  const { place_id: id, location: center } = subject;
  if (center === null || found.some(({ place_id }) => place_id === id)) return subject;
  const near = found
    .flatMap(({ place_id, location }) =>
      location === null ? [] : [{ place_id, metres: distance(location, center) }],
    )
    .sort((one, other) => one.metres - other.metres)[0];
  return near === undefined ? subject : { ...subject, place_id: near.place_id };
}

/** Returns the text of an existing table; empty if there is none. */
const tableText = (file: string) =>
  readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw openFault(file, error);
  });

/** Lines of a run that is already in the table make room for the next run's. */
async function modeOfLines({ append, mode }: GridCommandOptions, output: string): Promise<OpenMode> {
  if (!append || mode !== 'begin') return mode;
  const paths = batchPaths(gridLines(output));
  const stored = await readCheckpoint(paths.checkpoint, (await fileSize(paths.output)) ?? 0);
  const isThere = stored?.entry?.done === true && (await tableText(output)).includes(stored.header.id);
  return isThere ? 'overwrite' : mode;
}

/** Returns how to open the lines next to an output. */
async function openingOf(options: GridCommandOptions, output: string): Promise<BatchFileOptions> {
  const { search, place, query, size, spacing, params, demo, append } = options;
  const given = { query, place: Object.values(place)[0], size, spacing: `${spacing}m`, ...params };
  const grid = Object.entries(given).map(([name, value]) =>
    value === true ? `--${name}` : `--${name} ${quotedFor(String(value))}`,
  );
  const shape = {
    output: 'ndjson' as const,
    ...{ all: false, flatten: false, sources: true, grid: grid.join(' ') },
    ...(demo ? { demo } : {}),
    ...(append ? { append } : {}),
  };
  const mode = await modeOfLines(options, output);
  return { file: gridLines(output), mode, clock: systemClock, batch: { endpoint: search.path, shape } };
}

async function runGrid(
  context: Context,
  options: GridCommandOptions,
  extractor: CommandExtractor,
  goOn: string,
): Promise<void> {
  const { search, output, bucket, quiet, size, spacing, mode, demo } = options;
  const { stderr, signal } = context;
  const clock = systemClock;
  const upload = output === null ? undefined : await bucket?.begin(output.file, mode !== 'begin');
  const opening = output === null ? undefined : await openingOf(options, output.file);
  // Before the place is paid for.
  const before = opening === undefined ? undefined : await checkBatchFile(opening);
  if (!quiet) await stderr.write(`${await wrapText(priceText(options), stderr)}\n`);
  const lookedUp = before ?? (await askPlace(options, extractor, signal));
  const { charged, place: subject } = lookedUp;
  const points = gridPoints({ center: subject.location, size, spacing });
  const file =
    opening === undefined
      ? undefined
      : await openBatchFile({ ...opening, batch: { ...opening.batch, lookedUp } });
  const tracking = await trackBatch(
    context,
    extractor,
    { progress: undefined, quiet, color: options.color, output: output?.file ?? null },
    {
      ...{ endpoint: search, demo, from: file?.from.totals ?? noTotals },
      total: () => points.length,
      spentBefore: charged,
    },
  );
  const run: BatchRun = {
    client: extractor,
    endpoint: search,
    inputs: inputsOf(points, options),
    format: ndjsonFormat(false, true),
    options: { limitCredits: options.limitCredits, stop: signal },
    spentBefore: charged,
    clock,
    onLine: tracking.onLine,
    onBackoff: tracking.onBackoff,
  };
  const id = file?.id ?? batchId();
  let text = '';
  let ended: BatchOutcome;
  try {
    ended =
      file === undefined
        ? await runToStream(
            run,
            streamOutput(async (lines) => {
              text += lines;
            }),
            id,
          )
        : await runToFile(run, file);
  } finally {
    await tracking.end();
  }
  if (ended.finished) {
    if (output !== null) text = await readFile(gridLines(output.file), 'utf8');
    const answers = answersOf(text.trimEnd().split('\n'));
    const report = rankGrid(demo ? demoSubject(subject, answers) : subject, points, answers);
    await writeReport(context, options, report, id);
    if (upload !== undefined) ended = await upload.send(ended);
  }
  const kept: KeptFiles | undefined =
    output === null || bucket !== undefined
      ? undefined
      : { output: output.file, lines: gridLines(output.file), uses: ['--resume', '--retry-failed'] };
  await writeSummary(
    context,
    { quiet, progress: undefined },
    { ...ended, kept },
    tracking.current(),
    file === undefined ? null : goOn,
  );
}

/** Writes the report of a grid: to its file and in words, or to the standard output. */
async function writeReport(
  { stdout, stderr }: Context,
  options: GridCommandOptions,
  report: GridReport,
  run: string,
): Promise<void> {
  const { output, append, params, query, size, spacing, demo, quiet, json } = options;
  const title: GridTitle = {
    ...{ query, size, spacing, radius: radiusOf(options), isSample: demo },
    language: (params.language as string | undefined) ?? null,
    country: (params.country as string | undefined) ?? null,
  };
  if (output === null) {
    await stdout.write(
      stdout.isTTY && !json
        ? await reportText(report, title, stdout)
        : `${JSON.stringify({ data: report })}\n`,
    );
    return;
  }
  const before = append ? await tableText(output.file) : '';
  await writeWhole(output.file, [await gridText(output.kind, report, title, { run, before })]);
  if (!quiet) await stderr.write(await reportText(report, title, stderr));
}

/** Ranks a place over a grid as `extract maps grid` does; `goOn` is the command that resumes it. */
export async function runGridCommand(
  context: Context,
  options: GridCommandOptions,
  goOn: string,
): Promise<void> {
  await withExtractor(context, {}, (extractor) =>
    options.dryRun ? writeEstimate(context, options, extractor) : runGrid(context, options, extractor, goOn),
  );
}
