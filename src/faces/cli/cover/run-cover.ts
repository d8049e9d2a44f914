import { decodeTime } from 'ulid';
import { inputsPrice } from '../../../../lib/call/price.js';
import { mayRunOut } from '../../../../lib/config.js';
import { isoTime } from '../../../../lib/read/iso-time.js';
import type { LookedUp } from '../../../files/batch-files/looked-up.js';
import { AreaStep } from '../../../files/cover/area-step.js';
import { type Box, circleOf } from '../../../files/cover/cells.js';
import { type CellArea, callsAtMost } from '../../../files/cover/cover.js';
import { callDefaults } from '../../../lines/run-steps.js';
import { duration } from '../../../output/duration.js';
import { integerText, quantity } from '../../../output/number-text.js';
import type { RunOptions } from '../batch/batch-options.js';
import { type PaceTime, paceTime } from '../batch/pace-time.js';
import { runLines } from '../batch/run-lines.js';
import type { CommandExtractor, Context } from '../context.js';
import { estimateJson, spendableCredits } from '../spendable-credits.js';
import { requestedSteps } from '../step-options.js';
import { wrapText } from '../terminal-text.js';
import { withEvidence } from '../with-evidence.js';

export interface CoverCommandOptions extends RunOptions {
  readonly params: Readonly<Record<string, unknown>>;
  /** Only print the searches. */
  readonly inputs: boolean;
}

/** An area and its look-up; undefined if none was necessary. */
interface FoundArea extends CellArea {
  readonly lookedUp: LookedUp | undefined;
}

type Estimated = CoverCommandOptions & FoundArea;

/** Describes the centre of an area, which reveals swapped coordinates. */
function middleOf({ west, south, east, north }: Box): string {
  const lat = (south + north) / 2;
  const lng = (((west + east) / 2 + 180) % 360) - 180;
  const degrees = (value: number) => `${Number(Math.abs(value).toFixed(3))}°`;
  return `${degrees(lat)} ${lat < 0 ? 'south' : 'north'}, ${degrees(lng)} ${lng < 0 ? 'west' : 'east'}`;
}

/** Returns how long the calls take at the platform's pace; undefined if a server sets the pace. */
function secondsOf(
  { endpoint, params }: Estimated,
  extractor: CommandExtractor,
  calls: number,
  which: keyof PaceTime,
) {
  const time = paceTime(endpoint, extractor.config, params.demo === true ? 0 : calls);
  return time === undefined ? undefined : Math.round(time[which] / 1000);
}

/** “From 30 s, for one page of each cell, to 4 h 15 min at most, were every cell full.” */
function timeText(options: Estimated, extractor: CommandExtractor): string {
  const { cells, params } = options;
  const from = secondsOf(options, extractor, cells.length, 'expected');
  const to = secondsOf(options, extractor, callsAtMost(cells), 'most');
  if (from === undefined || to === undefined || params.demo === true) return '';
  return ` It takes from ${duration(from)}, for one page of each cell, to ${duration(to)} if every cell is full.`;
}

function priceText(options: Estimated, extractor: CommandExtractor): string {
  const { area, cells, endpoint, params } = options;
  const { length } = cells;
  const middle = `Its centre is ${middleOf(area.box)}.`;
  if (params.demo === true)
    return `${quantity(length, 'cell')} of sample data: no requests to the platform. ${middle}`;
  const priced = mayRunOut(extractor.config);
  const price = priced
    ? `: ${integerText(inputsPrice(endpoint, length))} credits for one page each, ${endpoint.credits} for each further page of 20 places`
    : ': one call for each page of 20 places';
  const limit = priced ? ' --limit-credits limits them.' : '';
  return `${quantity(length, 'cell')}${price}. A cell whose list is full is split into four: a crowded town can take 80 times as many calls as it has cells at first.${limit}${timeText(options, extractor)} ${middle}`;
}

async function writeEstimate(
  { stdout }: Context,
  options: Estimated,
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
      : [`Balance: ${integerText(balance)} before, ${integerText(balance - credits)} after at most.`];
  await stdout.write(
    json || !stdout.isTTY
      ? estimateJson(data, mayRunOut(extractor.config))
      : `${await wrapText([priceText(options, extractor), ...balanceText].join('\n'), stdout)}\n`,
  );
}

/** Columns that distinguish the rows of a run in a shared table. */
const ownColumns = ['date', 'query', 'place'];

const ownValues = (id: string, { query }: CoverCommandOptions['params'], lookedUp: LookedUp | undefined) => ({
  date: isoTime(decodeTime(id.slice(id.indexOf('_') + 1))).slice(0, 10),
  query,
  place: lookedUp?.place.name ?? null,
});

/** Writes the first searches as inputs of a batch. */
async function writeInputs({ stdout }: Context, { cells, params }: Estimated): Promise<void> {
  for (const cell of cells) await stdout.write(`${JSON.stringify({ ...params, ...circleOf(cell) })}\n`);
}

/** Resolves with the area and its cells. An area in words is looked up by a search, unless an earlier run did. */
type AreaOf = (extractor: CommandExtractor, before: LookedUp | undefined) => Promise<FoundArea>;

/** Runs `extract maps cover`; `resumeHint` is the command that resumes it. */
export async function runCoverCommand(
  context: Context,
  options: CoverCommandOptions,
  areaOf: AreaOf,
  resumeHint: string,
): Promise<void> {
  const { endpoint, output, outputFormat: kind, append, params, steps, inputs, dryRun, quiet } = options;
  const outputFile = output === null ? null : { file: output, kind, append };
  const requested = await requestedSteps(steps, { kind: 'area', endpoint, all: true, output: outputFile });
  const isPlan = inputs || dryRun;
  await withEvidence(
    context,
    { quiet, config: {}, requested: isPlan ? [] : requested },
    async (extractor) => {
      if (isPlan) {
        const areaOptions = { ...options, ...(await areaOf(extractor, undefined)) };
        return inputs ? writeInputs(context, areaOptions) : writeEstimate(context, areaOptions, extractor);
      }
      let foundArea: FoundArea | undefined;
      const isTable = output !== null && (kind !== 'ndjson' || append);
      const area = new AreaStep((run) => {
        const { lookedUp, ...cells } = foundArea as FoundArea;
        const own = isTable ? ownValues(run, params, lookedUp) : undefined;
        return { ...cells, params, defaults: callDefaults(requested), own };
      });
      await runLines(
        context,
        options,
        {
          requested: [area, ...requested],
          inputs: () => area.cover.inputs(),
          ownColumns: isTable ? ownColumns : [],
          total: () => area.cover.progress.cells,
          async lookUp(before) {
            foundArea = await areaOf(extractor, before);
            const text = priceText({ ...options, ...foundArea }, extractor);
            if (!quiet) await context.stderr.write(`${await wrapText(text, context.stderr)}\n`);
            return foundArea.lookedUp;
          },
          word: 'search',
          keeps: { more: output === null ? [] : [`${output}.cells`], uses: ['--resume'] },
          resumeHint,
        },
        extractor,
      );
    },
  );
}
