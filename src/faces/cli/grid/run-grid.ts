import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import { inputsPrice } from '../../../../lib/call/price.js';
import { type Config, mayRunOut } from '../../../../lib/config.js';
import type { Endpoint } from '../../../../lib/endpoint.js';
import { distance } from '../../../../lib/platforms/maps/point.js';
import { completeFile } from '../../../files/batch-files/built-file.js';
import type { Input } from '../../../files/batch-files/input.js';
import type { LookedUp } from '../../../files/batch-files/looked-up.js';
import { openFault } from '../../../files/batch-files/output-fault.js';
import type { BuiltFile } from '../../../files/batch-files/run-sink.js';
import type { GridTitle } from '../../../files/grid/grid-page.js';
import { type GridPoint, gridPoints, reachOf } from '../../../files/grid/points.js';
import { type GridReport, type GridSubject, type PointAnswer, rankGrid } from '../../../files/grid/ranks.js';
import type { AnswerLine } from '../../../files/result-files/answer-lines.js';
import { callDefaults } from '../../../lines/run-steps.js';
import { duration } from '../../../output/duration.js';
import { ndjsonValues } from '../../../output/ndjson-values.js';
import { integerText } from '../../../output/number-text.js';
import { quotedFor } from '../../../output/shell-words.js';
import type { RunOptions } from '../batch/batch-options.js';
import { type PaceTime, paceTime } from '../batch/pace-time.js';
import { runLines } from '../batch/run-lines.js';
import type { CommandExtractor, Context } from '../context.js';
import { lookUpPlace } from '../cover/map-searches.js';
import { estimateJson, spendableCredits } from '../spendable-credits.js';
import { requestedSteps } from '../step-options.js';
import { wrapText } from '../terminal-text.js';
import { withEvidence } from '../with-evidence.js';
import { writeAtomically } from '../write-atomically.js';
import { answersOf, type GridKind, gridText } from './grid-output.js';
import { reportText } from './grid-text.js';

type Params = Readonly<Record<string, unknown>>;

export interface GridCommandOptions
  extends Omit<RunOptions, 'endpoint' | 'outputFormat' | 'all' | 'flatten' | 'sources' | 'defaults'> {
  readonly search: Endpoint;
  readonly detail: Endpoint;
  readonly place: Params;
  readonly query: string;
  readonly size: number;
  readonly spacing: number;
  readonly params: Params;
  readonly demo: boolean;
  /** Undefined without an output. */
  readonly kind: GridKind | undefined;
}

/** Returns the price of the searches and of the place's page. */
function priceOf({ search, detail, size, demo }: GridCommandOptions) {
  const calls = size * size;
  const credits = demo ? 0 : inputsPrice(search, calls) + inputsPrice(detail, 1);
  return { points: calls, calls: calls + 1, credits };
}

function priceText(options: GridCommandOptions, config: Config): string {
  const { points, calls, credits } = priceOf(options);
  if (options.demo) return `${integerText(points)} points of sample data: no requests.`;
  if (!mayRunOut(config)) return `${integerText(points)} points: ${integerText(calls)} calls at most.`;
  return `${integerText(points)} points: ${integerText(credits)} credits at most, ${options.search.credits} for each and ${options.detail.credits} for the place.`;
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
    const placeTime = paceTime(detail, extractor.config, demo ? 0 : 1);
    return searches && placeTime ? Math.round((searches[which] + placeTime[which]) / 1000) : null;
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
      : ` Balance: ${integerText(balance)} before, ${integerText(balance - price.credits)} after.`;
  await stdout.write(
    options.json || !stdout.isTTY
      ? estimateJson(data, mayRunOut(extractor.config))
      : `${priceText(options, extractor.config)}${expected === null || most === null || demo ? '' : ` It takes about ${duration(expected)}, ${duration(most)} at most.`}${rest}\n`,
  );
}

/** Returns the place from its own page. Throws if it has no coordinates. */
function askPlace(
  { detail: endpoint, place, params: { language }, demo, limitCredits }: GridCommandOptions,
  extractor: CommandExtractor,
  signal: AbortSignal,
): Promise<LookedUp> {
  const params = { ...place, ...(language === undefined ? {} : { language }) };
  const words = String(Object.values(place)[0]);
  const fault = (name = words) => `The page of ${name} has no coordinates for a grid.`;
  return lookUpPlace(extractor, { endpoint, params, demo, limitCredits, words, fault }, signal);
}

/** Each search must reach the place; the minimum is the default of five kilometres. */
const radiusOf = (options: GridCommandOptions) =>
  Math.min(50_000, Math.max(5000, Math.ceil(reachOf({ ...options, center: { lat: 0, lng: 0 } })) + 1000));

async function* inputsOf(
  points: readonly GridPoint[],
  options: GridCommandOptions,
  defaults: Params,
): AsyncGenerator<Input> {
  const { query, params, demo } = options;
  for (const [index, { lat, lng }] of points.entries()) {
    const pointParams = {
      query,
      lat,
      lng,
      radius_m: radiusOf(options),
      ...params,
      ...(demo ? { demo } : {}),
    };
    const echo = JSON.stringify(pointParams);
    const callParams = { ...defaults, ...pointParams, sources: true };
    yield { index, line: index + 1, echo, params: callParams, fault: null, checksum: crc32(echo), end: 0 };
  }
}

/** In a demo, the nearest sample represents a place that is not among them. */
function demoSubject(subject: GridSubject, answers: readonly PointAnswer[]): GridSubject {
  const allPlaces = answers.flatMap(({ places }) => places ?? []);
  const { place_id: id, location: center } = subject;
  if (center === null || allPlaces.some(({ place_id }) => place_id === id)) return subject;
  const near = allPlaces
    .flatMap(({ place_id, name, location }) =>
      location === null ? [] : [{ place_id, name, metres: distance(location, center) }],
    )
    .sort((one, other) => one.metres - other.metres)[0];
  return near === undefined ? subject : { ...subject, place_id: near.place_id, name: near.name };
}

const tableText = (file: string) =>
  readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw openFault(file, error);
  });

/** Returns what distinguishes one grid from another. */
function gridWords({ place, query, size, spacing, params }: GridCommandOptions): string {
  const values = { query, place: Object.values(place)[0], size, spacing: `${spacing}m`, ...params };
  return Object.entries(values)
    .map(([name, value]) => (value === true ? `--${name}` : `--${name} ${quotedFor(String(value))}`))
    .join(' ');
}

const titleOf = (options: GridCommandOptions): GridTitle => ({
  ...{ query: options.query, size: options.size, spacing: options.spacing },
  ...{ radius: radiusOf(options), isSample: options.demo },
  language: (options.params.language as string | undefined) ?? null,
  country: (options.params.country as string | undefined) ?? null,
});

/** A grid around the place, and the lines of its answers. */
class RankedGrid {
  readonly #options: GridCommandOptions;
  /** Next to the output; undefined if the lines are collected in `text`. */
  readonly lines: string | undefined;
  text = '';
  subject: (GridSubject & { readonly location: LookedUp['place']['location'] }) | undefined;

  constructor(options: GridCommandOptions) {
    this.#options = options;
    this.lines = options.output === null ? undefined : `${options.output}.ndjson`;
  }

  get points(): readonly GridPoint[] {
    const { size, spacing } = this.#options;
    return this.subject === undefined ? [] : gridPoints({ center: this.subject.location, size, spacing });
  }

  async report(): Promise<GridReport> {
    const source = this.lines === undefined ? [Buffer.from(this.text)] : createReadStream(this.lines);
    const lines: AnswerLine[] = [];
    for await (const line of ndjsonValues<AnswerLine>(Readable.from(source))) lines.push(line);
    const answers = answersOf(lines);
    const subject = this.subject as GridSubject;
    return rankGrid(this.#options.demo ? demoSubject(subject, answers) : subject, this.points, answers);
  }

  file(): BuiltFile | undefined {
    const { output: file, append, kind } = this.#options;
    const { lines } = this;
    if (file === null || kind === undefined || lines === undefined) return undefined;
    const make = async (run: string) => {
      const before = append ? await tableText(file) : '';
      const text = await gridText(kind, await this.report(), titleOf(this.#options), { run, before });
      await writeAtomically(file, [text]);
    };
    if (!append) return completeFile({ file, lines, make });
    const has = async (id: string) => (await tableText(file)).includes(id);
    // A repeated run replaces its own rows.
    return { file, lines, make, has, adds: true, withdraw: async () => {} };
  }
}

/** Prints a report, or JSON. */
async function writeReport({ stdout, stderr }: Context, options: GridCommandOptions, report: GridReport) {
  const { output, quiet, json } = options;
  const title = titleOf(options);
  if (output !== null) return quiet ? undefined : stderr.write(await reportText(report, title, stderr));
  return stdout.write(
    stdout.isTTY && !json ? await reportText(report, title, stdout) : `${JSON.stringify({ data: report })}\n`,
  );
}

/** Runs `extract maps grid`; `resumeHint` is the command that resumes it. */
export async function runGridCommand(
  context: Context,
  options: GridCommandOptions,
  resumeHint: string,
): Promise<void> {
  const { search: endpoint, steps, dryRun, quiet, demo, output, size } = options;
  const requested = await requestedSteps(steps, { kind: 'grid', endpoint, all: false, output: null });
  const planned = dryRun ? [] : requested;
  await withEvidence(context, { quiet, config: {}, requested: planned }, async (extractor) => {
    if (dryRun) return writeEstimate(context, options, extractor);
    const grid = new RankedGrid(options);
    await runLines(
      context,
      {
        ...{ ...options, endpoint, outputFormat: 'ndjson', all: false, flatten: false, sources: true },
        defaults: demo ? { demo } : {},
      },
      {
        requested,
        inputs: () => inputsOf(grid.points, options, callDefaults(requested)),
        ownColumns: [],
        shape: { grid: gridWords(options) },
        report: grid.file(),
        async write(lines) {
          grid.text += lines;
        },
        total: () => size * size,
        async lookUp(before) {
          if (!quiet)
            await context.stderr.write(
              `${await wrapText(priceText(options, extractor.config), context.stderr)}\n`,
            );
          const lookedUp = before ?? (await askPlace(options, extractor, context.signal));
          grid.subject = lookedUp.place;
          return lookedUp;
        },
        onFinished: async () => writeReport(context, options, await grid.report()),
        word: 'search',
        keeps: { uses: ['--resume', '--retry-failed'] },
        resumeHint: output === null ? null : resumeHint,
      },
      extractor,
    );
  });
}
