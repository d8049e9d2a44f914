import { decodeTime } from 'ulid';
import { batchId } from '../../../../lib/batch/batch.js';
import { inputsPrice } from '../../../../lib/call/price.js';
import type { Endpoint } from '../../../../lib/endpoint.js';
import { isoTime } from '../../../../lib/read/iso-time.js';
import { systemClock } from '../../../../lib/runtime/clock.js';
import { abandon, type BatchFile } from '../../../files/batch-files/batch-file.js';
import type { BatchOutcome, BatchRun } from '../../../files/batch-files/batch-run.js';
import { checkBuiltOutput, openBuiltOutput } from '../../../files/batch-files/built-output.js';
import { ndjsonFormat } from '../../../files/batch-files/line-format.js';
import type { LookedUp } from '../../../files/batch-files/looked-up.js';
import { checkBatchFile, type OpenMode, openBatchFile } from '../../../files/batch-files/open-batch-file.js';
import { noTotals } from '../../../files/batch-files/totals.js';
import type { Area } from '../../../files/cover/area.js';
import { type Box, circleOf } from '../../../files/cover/cells.js';
import { Cover, callsAtMost } from '../../../files/cover/cover.js';
import { CoverLog } from '../../../files/cover/cover-log.js';
import type { OutputKind } from '../../../files/result-files/file-kind.js';
import { duration } from '../../../output/duration.js';
import { counted, grouped } from '../../../output/number-text.js';
import { finishOutput, isStream, keptFiles, runLines } from '../batch/batch-output.js';
import { type PaceTime, paceTime } from '../batch/pace-time.js';
import { trackBatch } from '../batch/track-batch.js';
import { writeSummary } from '../batch/write-summary.js';
import type { BatchBucket, OutputUpload } from '../bucket/batch-bucket.js';
import { type CommandExtractor, type Context, withExtractor } from '../context.js';
import { spendableCredits } from '../spendable-credits.js';
import { wrapText } from '../terminal-text.js';

interface CoverCommandOptions {
  readonly endpoint: Endpoint;
  readonly area: Area;
  readonly cells: readonly Box[];
  /** The look-up of the area; undefined if it needed none. */
  readonly lookedUp: LookedUp | undefined;
  /** Parameters of every search. */
  readonly params: Readonly<Record<string, unknown>>;
  /** Null for the standard output. */
  readonly output: string | null;
  readonly kind: OutputKind;
  /** Append to the existing database. */
  readonly append: boolean;
  /** The bucket of the object that the output, a local file, becomes. */
  readonly bucket?: BatchBucket | undefined;
  /** Include the source of each place. */
  readonly sources: boolean;
  readonly mode: OpenMode;
  readonly limitCredits: number | undefined;
  readonly dryRun: boolean;
  /** Only write the searches. */
  readonly inputs: boolean;
  readonly quiet: boolean;
  readonly color: boolean;
  readonly json: boolean;
}

/** Describes the centre of an area in words, which reveals swapped degrees. */
function middleOf({ west, south, east, north }: Box): string {
  const lat = (south + north) / 2;
  const lng = (((west + east) / 2 + 180) % 360) - 180;
  const degrees = (value: number) => `${Number(Math.abs(value).toFixed(3))}°`;
  return `${degrees(lat)} ${lat < 0 ? 'south' : 'north'}, ${degrees(lng)} ${lng < 0 ? 'west' : 'east'}`;
}

/** Returns the time of so many calls at the platform's pace; undefined if a server keeps its own pace. */
function secondsOf(
  { endpoint, params }: CoverCommandOptions,
  extractor: CommandExtractor,
  calls: number,
  which: keyof PaceTime,
) {
  const time = paceTime(endpoint, extractor.config, params.demo === true ? 0 : calls);
  return time === undefined ? undefined : Math.round(time[which] / 1000);
}

/** “From 30 s, for one page of each cell, to 4 h 15 min at most, were every cell full.” */
function timeText(options: CoverCommandOptions, extractor: CommandExtractor): string {
  const { cells, params } = options;
  const from = secondsOf(options, extractor, cells.length, 'expected');
  const to = secondsOf(options, extractor, callsAtMost(cells), 'most');
  if (from === undefined || to === undefined || params.demo === true) return '';
  return ` It takes from ${duration(from)}, for one page of each cell, to ${duration(to)} at most, were every cell full.`;
}

/** Returns the price as far as it is known in advance. */
function priceText(options: CoverCommandOptions, extractor: CommandExtractor): string {
  const { area, cells, endpoint, params } = options;
  const { length } = cells;
  const middle = `Its middle lies at ${middleOf(area.box)}.`;
  if (params.demo === true)
    return `${counted(length, 'cell')} of sample data: nothing is requested from the platform, nothing charged. ${middle}`;
  const calls = `${counted(length, 'cell')}: ${grouped(inputsPrice(endpoint, length))} credits for one page each`;
  return `${calls}, ${endpoint.credits} for each further page of 20 places. A cell whose list is full is split into four: a crowded town can take 80 times as many calls as it has cells at first. --limit-credits bounds them.${timeText(options, extractor)} ${middle}`;
}

async function writeEstimate(
  { stdout }: Context,
  options: CoverCommandOptions,
  extractor: CommandExtractor,
): Promise<void> {
  const balance = await spendableCredits(extractor);
  const { cells, endpoint, json, params } = options;
  const credits = params.demo === true ? 0 : inputsPrice(endpoint, cells.length);
  const data = {
    cells: cells.length,
    calls_at_least: cells.length,
    calls_at_most: callsAtMost(cells),
    seconds_at_least: secondsOf(options, extractor, cells.length, 'expected') ?? null,
    seconds_at_most: secondsOf(options, extractor, callsAtMost(cells), 'most') ?? null,
    radius_m: Math.max(...cells.map((cell) => circleOf(cell).radius_m)),
    credits_each_page: endpoint.credits,
    credits_at_least: credits,
    balance_before: balance,
  };
  const balanceText =
    balance === null
      ? []
      : [`Balance: ${grouped(balance)} before, ${grouped(balance - credits)} after at most.`];
  await stdout.write(
    json || !stdout.isTTY
      ? `${JSON.stringify({ data })}\n`
      : `${await wrapText([priceText(options, extractor), ...balanceText].join('\n'), stdout)}\n`,
  );
}

/** Maximum number of searches shown. The file next to the output has them all. */
const maxNamed = 5;

/** Reports the places that were found, and where some are missing. */
function foundText({ places, cutOff }: Cover['progress'], output: string | null): string {
  const found = `${counted(places, 'place')}, each once.`;
  if (cutOff.length === 0) return `${found}\n`;
  const named = cutOff.slice(0, maxNamed).map(({ lat, lng, radius_m }) => `${lat},${lng} (${radius_m} m)`);
  const rest = cutOff.length > maxNamed ? ` and ${grouped(cutOff.length - maxNamed)} more` : '';
  const file = output === null ? '' : ` ${output}.cells has each as "cutOff".`;
  const cells = cutOff.length === 1 ? '1 cell is' : `${grouped(cutOff.length)} cells are`;
  return `${found}\n${cells} still full, too small to split or without news: places may be missing around ${named.join(', ')}${rest}.${file}\n`;
}

/** Columns that distinguish the rows of a run in a shared table: the day it began, and what it searched for. */
const ownColumns = ['date', 'query', 'place'];

const ownValues = (id: string, { query }: CoverCommandOptions['params'], lookedUp: LookedUp | undefined) => ({
  date: isoTime(decodeTime(id.slice(id.indexOf('_') + 1))).slice(0, 10),
  query,
  place: lookedUp?.place.name ?? null,
});

async function openCover(options: CoverCommandOptions, file: BatchFile | undefined) {
  const { area, cells, params, output, kind, lookedUp } = options;
  const count = file?.from.totals.inputs ?? 0;
  const logFile = `${output}.cells`;
  const opened =
    file === undefined
      ? { log: undefined, known: [] }
      : count === 0
        ? { log: await CoverLog.create(logFile), known: [] }
        : await CoverLog.resume(logFile, count);
  const onCell = async (result: Parameters<CoverLog['add']>[0]) => opened.log?.add(result);
  const own = file === undefined || kind === 'ndjson' ? undefined : ownValues(file.id, params, lookedUp);
  return { log: opened.log, cover: new Cover({ area, cells, params, own, known: opened.known, onCell }) };
}

/** The options of a command before its area is looked up. */
type CoverOptions = Omit<CoverCommandOptions, 'area' | 'cells' | 'lookedUp'>;

/** Returns how to open the output; undefined without a file. */
async function outputOf(
  { endpoint, output, kind, append, sources, mode, params }: CoverOptions,
  lookedUp?: LookedUp,
) {
  if (output === null || (await isStream(output))) return undefined;
  const shape = {
    ...{ output: kind, all: true, flatten: true },
    ...(append ? { append } : {}),
    ...(sources ? { sources } : {}),
    ...(params.demo === true ? { demo: true } : {}),
  };
  const batch = { endpoint: endpoint.path, shape, lookedUp };
  const opening = { mode, clock: systemClock, batch };
  const built =
    kind === 'ndjson'
      ? null
      : { endpoint, kind, file: output, append, sources, own: ownColumns, news: false };
  return { file: { ...opening, file: output }, opening, built };
}

/**
 * Throws before the area is paid for if the output may not be written. Returns its upload, if it is in a bucket, and
 * the look-up of the run that it resumes.
 */
async function checkOutput(
  options: CoverOptions,
): Promise<{ readonly upload?: OutputUpload | undefined; readonly before?: LookedUp | undefined }> {
  const { output, bucket, mode, dryRun, inputs } = options;
  if (output === null || dryRun || inputs) return {};
  const upload = await bucket?.begin(output, mode === 'overwrite');
  const to = await outputOf(options);
  if (to === undefined) return { upload };
  const before = await (to.built === null ? checkBatchFile(to.file) : checkBuiltOutput(to.built, to.opening));
  return { upload, before };
}

async function runCover(
  context: Context,
  options: CoverCommandOptions,
  extractor: CommandExtractor,
  upload: OutputUpload | undefined,
  goOn: string,
): Promise<void> {
  const { endpoint, output, bucket, quiet, limitCredits } = options;
  const { stderr, signal } = context;
  const to = await outputOf(options, options.lookedUp);
  const built = to?.built ?? null;
  const spentBefore = options.lookedUp?.charged ?? 0;
  const file =
    to === undefined
      ? undefined
      : await (to.built === null ? openBatchFile(to.file) : openBuiltOutput(to.built, to.opening));
  const { log, cover } = await openCover(options, file).catch(async (cause: unknown) => {
    if (file !== undefined) await abandon(file);
    throw cause;
  });
  if (!quiet) await stderr.write(`${await wrapText(priceText(options, extractor), stderr)}\n`);
  const tracking = await trackBatch(
    context,
    extractor,
    { progress: undefined, quiet, color: options.color, output },
    {
      ...{ endpoint, demo: options.params.demo === true, from: file?.from.totals ?? noTotals },
      total: () => cover.progress.cells,
      without: 'new places',
      spentBefore,
    },
  );
  const stop = () => cover.stop();
  signal.addEventListener('abort', stop, { once: true });
  const run: BatchRun = {
    client: extractor,
    endpoint,
    inputs: cover.inputs(),
    format: ndjsonFormat(true, built !== null),
    steps: cover.steps,
    options: { limitCredits, stop: signal },
    spentBefore,
    clock: systemClock,
    onLine: tracking.onLine,
    onBackoff: tracking.onBackoff,
  };
  const id = file?.id ?? batchId();
  let ended: BatchOutcome;
  try {
    ended = await runLines(context, run, { file, output, id });
  } finally {
    signal.removeEventListener('abort', stop);
    await tracking.end();
    await log?.close();
  }
  ended = await finishOutput(context, options, ended, { built, id, upload });
  const kept = keptFiles({ output, bucket }, built);
  const found = foundText(cover.progress, file === undefined ? null : output);
  if (!quiet) await stderr.write(await wrapText(found, stderr));
  await writeSummary(
    context,
    { quiet, progress: undefined },
    {
      ...ended,
      kept: kept && {
        ...kept,
        more: [`${output}.cells`],
        uses: ['--resume', ...(built === null ? [] : ['convert'])],
      },
    },
    tracking.current(),
    file === undefined ? null : goOn,
  );
}

/**
 * Resolves with the area to cover and its cells: an area in words is looked up by a search first, unless an earlier run
 * did.
 */
export type AreaOf = (
  extractor: CommandExtractor,
  before: LookedUp | undefined,
) => Promise<Pick<CoverCommandOptions, 'area' | 'cells' | 'lookedUp'>>;

/** Covers an area as `extract maps cover` does; `goOn` is the command that resumes it. */
export async function runCoverCommand(
  context: Context,
  options: CoverOptions,
  areaOf: AreaOf,
  goOn: string,
): Promise<void> {
  await withExtractor(context, {}, async (extractor) => {
    const { upload, before } = await checkOutput(options);
    const whole = { ...options, ...(await areaOf(extractor, before)) };
    if (whole.inputs) await writeInputs(context, whole);
    else if (whole.dryRun) await writeEstimate(context, whole, extractor);
    else await runCover(context, whole, extractor, upload, goOn);
  });
}

/** Writes the searches of the first cells, as inputs of a batch. */
async function writeInputs({ stdout }: Context, { cells, params }: CoverCommandOptions): Promise<void> {
  for (const cell of cells) await stdout.write(`${JSON.stringify({ ...params, ...circleOf(cell) })}\n`);
}
