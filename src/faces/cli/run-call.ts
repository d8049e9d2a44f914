import type { ReadsOn } from '../../../lib/batch/run-input.js';
import { type Coverage, isListEnd, joinCoverage } from '../../../lib/call/coverage.js';
import { type Answer, envelope, envelopeText, type Meta } from '../../../lib/call/envelope.js';
import type { Config } from '../../../lib/config.js';
import type { Endpoint } from '../../../lib/endpoint.js';
import type { Line } from '../../lines/line.js';
import { type LineSteps, openSteps } from '../../lines/run-steps.js';
import type { RequestedStep } from '../../lines/step.js';
import { coverageText } from '../../output/coverage-text.js';
import { quantity } from '../../output/number-text.js';
import type { Selection } from '../../output/selection.js';
import type { CommandExtractor, Context } from './context.js';
import { writeAnswer, writeNote } from './deliver.js';
import type { AnswerFile } from './formats/file.js';
import type { CommandAnswer } from './formats/writer.js';
import type { OutputOptions } from './output.js';
import { printableJson } from './printable.js';
import { stepPorts } from './step-ports.js';

type Params = Readonly<Record<string, unknown>>;

/** Returns the age of an answer, and its cost on a server. */
function answerNote(
  { credits_charged, credits_remaining, cached, fetched_at }: Meta,
  params: Params,
  { baseUrl }: Pick<Config, 'baseUrl'>,
): string {
  if (params.demo === true) return 'Sample data: no requests to the platform.';
  if (baseUrl === undefined) return `${cached ? 'From the cache, fetched' : 'Fetched'} ${fetched_at}`;
  const balanceText = `${credits_charged} credits, ${credits_remaining.toLocaleString('en-US')} left`;
  return `${balanceText} · ${cached ? 'from the cache, fetched' : 'fetched'} ${fetched_at}`;
}

const answerNotes = ({ file, output, params }: CallRequest, meta: Meta, { config }: CommandExtractor) => [
  file !== null || output.format === 'table' ? answerNote(meta, params, config) : '',
  meta.next_cursor === null
    ? ''
    : 'More pages: --all reads them all, --json shows the cursor of the next one.',
];

const coverageOf = ({ coverage }: Answer) => (coverage === undefined ? {} : { coverage });

/** Yields the pages of a list up to the requested number, or the single answer. */
async function* answersOf(
  call: (params: Params) => Promise<Answer>,
  params: Params,
  { all, readsOn }: { readonly all: boolean; readonly readsOn: ReadsOn | undefined },
): AsyncGenerator<Answer, void, undefined> {
  const used = new Set<string>();
  for (let pageParams = params; ; ) {
    const answer = await call(pageParams);
    const { next_cursor: cursor } = answer.meta;
    const isNext = cursor !== null && !used.has(cursor);
    const continues =
      isNext && (readsOn === undefined ? all : await readsOn({ params, texts: true }, answer));
    if (continues || readsOn === undefined) yield answer;
    else yield { ...answer, meta: { ...answer.meta, next_cursor: null } };
    if (!continues) return;
    used.add(cursor);
    pageParams = { ...params, cursor };
  }
}

const lineOf = (params: Params, answer: Answer, page: number): Line => ({
  ...answer,
  item: { index: page, params, texts: true, echo: JSON.stringify(params), fault: null },
  isWhole: isListEnd(answer),
  calls: page,
  error: null,
});

export interface CallRequest {
  readonly endpoint: Endpoint;
  readonly params: Params;
  readonly all: boolean;
  readonly output: OutputOptions;
  readonly selection: Selection;
  /** Null for stdout. */
  readonly file: AnswerFile | null;
  /** False if sources are only requested for steps. */
  readonly showsSources: boolean;
  readonly requested: readonly RequestedStep[];
}

const eraseLine = '\r\u001b[K';

/** Shows an item counter while the terminal shows no items. */
function itemProgress({ stdout, stderr, settings }: Context, { showNotes, format }: OutputOptions) {
  const streams = stdout.isTTY && (format === 'ndjson' || format === 'csv');
  let isShown = false;
  return {
    async items(count: number): Promise<void> {
      if (!showNotes || streams || !settings.movesCursor) return;
      isShown = true;
      await stderr.write(`${eraseLine}${quantity(count, 'item')}…`);
    },
    async end(): Promise<void> {
      if (isShown) await stderr.write(eraseLine);
    },
  };
}

/** Replaces a place's name by its ID. */
async function identified(
  context: Context,
  { params, output }: CallRequest,
  extractor: CommandExtractor,
): Promise<Params> {
  if (typeof params.place_id !== 'string') return params;
  const { withPlaceId } = await import('./place-by-name.js');
  const { note, ...identity } = await withPlaceId(context, extractor, params);
  if (note !== null) await writeNote(context, output, note);
  return identity.params;
}

/** Runs a call: pages pass the steps to a file or stdout. */
export async function runCall(
  context: Context,
  callRequest: CallRequest,
  extractor: CommandExtractor,
): Promise<void> {
  const request = { ...callRequest, params: await identified(context, callRequest, extractor) };
  const { endpoint, params, requested, showsSources } = request;
  const demo = params.demo === true;
  const output = request.file?.file ?? null;
  const ports = stepPorts(context, extractor, { endpoint, file: null, output, demo });
  const steps = await openSteps(requested, ports, { sources: showsSources });
  try {
    await writeCall(context, request, extractor, steps);
  } finally {
    await steps.close();
  }
}

async function* steppedPages(
  { endpoint, params, all }: CallRequest,
  { signal }: Context,
  extractor: CommandExtractor,
  steps: LineSteps,
): AsyncGenerator<{ readonly answer: Answer; readonly line: Line }> {
  const { knownItems, readsOn } = steps;
  const call = (callParams: Params) =>
    extractor.answer(endpoint, callParams, {
      ...{ signal, texts: true },
      knownItems: knownItems && ((ids) => knownItems({ params: callParams, texts: true }, ids)),
    });
  let page = 0;
  for await (const answer of answersOf(call, params, { all, readsOn })) {
    page += 1;
    const { request_id: id } = answer.meta;
    if (page === 1) await steps.begin({ id, writtenInputs: 0, isResumable: false, retries: false });
    yield { answer, line: await steps.apply(lineOf(params, answer, page)) };
  }
}

async function writeCall(
  context: Context,
  request: CallRequest,
  extractor: CommandExtractor,
  steps: LineSteps,
): Promise<void> {
  const { endpoint, params, all, output, selection, file, requested } = request;
  const { stdout } = context;
  const follows = all || requested.some((step) => step.follows === true);
  const isEnvelope = file === null && output.format === 'json';
  const isPlain = isEnvelope && !selection.chosen && !follows;
  const coverages: Coverage[] = [];
  const progress = itemProgress(context, output);
  let meta: Meta | undefined;
  let charged = 0;
  let items = 0;
  let isLeftOut = false;
  async function* pages(): AsyncGenerator<CommandAnswer> {
    try {
      for await (const { answer, line } of steppedPages(request, context, extractor, steps)) {
        const { sources, removed, item } = line;
        const json = String(line.json);
        if (answer.coverage !== undefined) coverages.push(answer.coverage);
        charged += answer.meta.credits_charged;
        meta = { ...answer.meta, credits_charged: charged };
        if (isPlain) {
          const text = envelopeText({ ...answer, json, sources });
          await stdout.write(`${stdout.isTTY ? printableJson(text) : text}\n`);
          continue;
        }
        isLeftOut = json === 'null';
        if (isLeftOut) continue;
        const body = envelope<unknown>({ ...answer, json, sources });
        if (follows) {
          items += (body.data as readonly unknown[]).length;
          await progress.items(items);
        }
        yield {
          ...body,
          ...(follows ? coverageOf(answer) : {}),
          ...(removed === undefined ? {} : { removed }),
          input: item.params,
        };
      }
    } finally {
      await progress.end();
    }
  }
  const { csv, sources } = output;
  const writer =
    file === null
      ? undefined
      : await (await import('./formats/file.js')).fileWriter(file, { endpoint, selection, csv, sources });
  await writeAnswer(context, output, selection, pages(), writer);
  // Saved last: if the list breaks off or the reader leaves, the next run returns these items again.
  await steps.saved(Number.POSITIVE_INFINITY);
  const coverage = params.demo === true ? undefined : joinCoverage(coverages);
  const notes = [
    isLeftOut ? 'The steps removed everything from the answer.' : '',
    ...steps.summary(),
    // Sample data has no meaningful coverage.
    coverage === undefined ? '' : coverageText(endpoint, coverage),
    ...(meta === undefined || isEnvelope ? [] : answerNotes(request, meta, extractor)),
  ];
  for (const note of notes) if (note !== '') await writeNote(context, output, note);
}
