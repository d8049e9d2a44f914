import { type Command, Option } from 'commander';
import type { ReadsOn } from '../../../lib/batch/run-input.js';
import { type Coverage, isListEnd, joinCoverage } from '../../../lib/call/coverage.js';
import { type Answer, envelope, envelopeText, type Meta } from '../../../lib/call/envelope.js';
import type { Config } from '../../../lib/config.js';
import type { Endpoint } from '../../../lib/endpoint.js';
import type { Line } from '../../lines/line.js';
import { callDefaults, type LineSteps, openSteps } from '../../lines/run-steps.js';
import type { RequestedStep } from '../../lines/step.js';
import { coverageText } from '../../output/coverage-text.js';
import { identifyingParams, paramOfArgument } from '../../output/plain-argument.js';
import type { Selection } from '../../output/selection.js';
import { kebabCase } from '../../output/shell-words.js';
import type { CommandExtractor, Context } from './context.js';
import { writeAnswer, writeNote } from './deliver.js';
import type { AnswerFile } from './formats/file.js';
import type { CommandAnswer } from './formats/writer.js';
import {
  addTableOptions,
  noSourcesOption,
  type Options,
  type OutputOptions,
  outputOf,
  selectionOf,
  wantsSources,
} from './output.js';
import { type ParameterOption, parameterOptions, renamedOptions } from './parameter-options.js';
import { printableJson } from './printable.js';
import { addStepOptions, requestedSteps, stepValuesOf } from './step-options.js';
import { stepPorts } from './step-ports.js';
import { UsageError } from './usage-error.js';
import { withArchive } from './with-archive.js';

type Params = Readonly<Record<string, unknown>>;

/** Returns the call's parameters as strings; the call itself parses and validates them. */
function paramsOf(
  endpoint: Endpoint,
  argument: string | undefined,
  options: Options,
  known: readonly ParameterOption[],
): Params {
  const params: Record<string, unknown> = {};
  for (const { param, option } of known) {
    const value = options[option.attributeName()];
    if (value !== undefined) params[param] = value;
  }
  if (argument === undefined) return params;
  const name = paramOfArgument(endpoint, argument) as string;
  if (params[name] !== undefined) {
    throw new UsageError(
      'conflicting_parameters',
      `Give ${name} once: as --${kebabCase(name)} or as the plain argument.`,
    );
  }
  return { ...params, [name]: argument };
}

/** Says how old an answer is, and what it cost an account of a server. */
function answerNote(
  { credits_charged, credits_remaining, cached, fetched_at }: Meta,
  params: Params,
  { baseUrl }: Pick<Config, 'baseUrl'>,
): string {
  if (params.demo === true) return 'Sample data: nothing was requested from the platform.';
  if (baseUrl === undefined) return `${cached ? 'From the cache, fetched' : 'Fetched'} ${fetched_at}`;
  const balanceText = `${credits_charged} credits, ${credits_remaining.toLocaleString('en-US')} left`;
  return `${balanceText} · ${cached ? 'from the cache, fetched' : 'fetched'} ${fetched_at}`;
}

/** Returns how much of a list its pages are. */
const coverageOf = ({ coverage }: Answer) => (coverage === undefined ? {} : { coverage });

/** Yields the pages of a listing, as far as it is read, or the single answer. */
async function* answersOf(
  call: (params: Params) => Promise<Answer>,
  params: Params,
  { all, readsOn }: { readonly all: boolean; readonly readsOn: ReadsOn | undefined },
): AsyncGenerator<Answer, void, undefined> {
  const used = new Set<string>();
  for (let given = params; ; ) {
    const answer = await call(given);
    const { next_cursor: cursor } = answer.meta;
    const isNext = cursor !== null && !used.has(cursor);
    const continues =
      isNext && (readsOn === undefined ? all : await readsOn({ params, texts: true }, answer));
    if (continues || readsOn === undefined) yield answer;
    else yield { ...answer, meta: { ...answer.meta, next_cursor: null } };
    if (!continues) return;
    used.add(cursor);
    given = { ...params, cursor };
  }
}

/** Converts one page of an answer to a line. */
const lineOf = (params: Params, answer: Answer, page: number): Line => ({
  ...answer,
  item: { index: page, params, texts: true, echo: JSON.stringify(params), fault: null },
  isWhole: isListEnd(answer),
  calls: page,
  error: null,
});

interface CallRequest {
  readonly endpoint: Endpoint;
  readonly params: Params;
  readonly all: boolean;
  readonly output: OutputOptions;
  readonly selection: Selection;
  /** Null for the standard output. */
  readonly file: AnswerFile | null;
  /** False if sources are requested only for steps, so that the output has none. */
  readonly showsSources: boolean;
  readonly requested: readonly RequestedStep[];
}

const eraseLine = '\r\u001b[K';

/** Shows a line that counts items while the terminal shows none of them; it disappears at the end. */
function itemProgress({ stdout, stderr, settings }: Context, { showNotes, format }: OutputOptions) {
  const streams = stdout.isTTY && (format === 'ndjson' || format === 'csv');
  let shown = false;
  return {
    async items(count: number): Promise<void> {
      if (!showNotes || streams || !settings.movesCursor) return;
      shown = true;
      await stderr.write(`${eraseLine}${count} items…`);
    },
    async end(): Promise<void> {
      if (shown) await stderr.write(eraseLine);
    },
  };
}

/** Returns the parameters, with the ID of a place that was named in words. */
async function identified(
  context: Context,
  { params, output }: CallRequest,
  extractor: CommandExtractor,
): Promise<Params> {
  if (typeof params.place_id !== 'string') return params;
  const { withPlaceId } = await import('./place-by-name.js');
  const { note, ...found } = await withPlaceId(context, extractor, params);
  if (note !== null) await writeNote(context, output, note);
  return found.params;
}

async function runCall(context: Context, named: CallRequest, extractor: CommandExtractor): Promise<void> {
  const request = { ...named, params: await identified(context, named, extractor) };
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

async function writeCall(
  context: Context,
  request: CallRequest,
  extractor: CommandExtractor,
  steps: LineSteps,
): Promise<void> {
  const { endpoint, params, all, output, selection, file, requested } = request;
  const { stdout, signal } = context;
  const follows = all || requested.some((step) => step.follows === true);
  const coverages: Coverage[] = [];
  const writeNotes = async () => {
    for (const text of steps.summary()) await writeNote(context, output, text);
    // The coverage of sample data is irrelevant.
    const coverage = params.demo === true ? undefined : joinCoverage(coverages);
    const text = coverage === undefined ? '' : coverageText(endpoint, coverage);
    if (text !== '') await writeNote(context, output, text);
  };
  const call = async (given: Params) => {
    const { known } = steps;
    const answer = await extractor.answer(endpoint, given, {
      ...{ signal, texts: true },
      known: known && ((ids) => known({ params: given, texts: true }, ids)),
    });
    if (answer.coverage !== undefined) coverages.push(answer.coverage);
    return answer;
  };
  const apply = async (answer: Answer, page: number) => {
    if (page === 1)
      await steps.begin({ id: answer.meta.request_id, reached: 0, isResumable: false, retries: false });
    return steps.apply(lineOf(params, answer, page));
  };
  if (file === null && output.format === 'json' && !selection.chosen && !follows) {
    const answer = await call(params);
    const { json, sources } = await apply(answer, 1);
    const line = envelopeText({ ...answer, json: String(json), sources });
    await stdout.write(`${stdout.isTTY ? printableJson(line) : line}\n`);
    await steps.saved(Number.POSITIVE_INFINITY);
    await writeNotes();
    return;
  }
  let meta: Meta | undefined;
  let charged = 0;
  const progress = itemProgress(context, output);
  let items = 0;
  let isLeftOut = false;
  async function* pages(): AsyncGenerator<CommandAnswer> {
    let page = 0;
    try {
      for await (const answer of answersOf(call, params, { all, readsOn: steps.readsOn })) {
        page += 1;
        charged += answer.meta.credits_charged;
        meta = { ...answer.meta, credits_charged: charged };
        const { json, sources, removed, item } = await apply(answer, page);
        isLeftOut = json === 'null';
        if (isLeftOut) continue;
        const shown = envelope<unknown>({ ...answer, json: String(json), sources });
        if (follows) {
          items += (shown.data as readonly unknown[]).length;
          await progress.items(items);
        }
        yield {
          ...shown,
          ...(follows ? coverageOf(answer) : {}),
          ...(removed === undefined ? {} : { removed }),
          input: item.params,
        };
      }
    } finally {
      await progress.end();
    }
  }
  const writer =
    file === null
      ? undefined
      : await (await import('./formats/file.js')).fileWriter(file, {
          endpoint,
          selection,
          csv: output.csv,
          sources: output.sources,
        });
  await writeAnswer(context, output, selection, pages(), writer);
  // Only now, so that the next run returns these items again if the list broke off or the reader went away.
  await steps.saved(Number.POSITIVE_INFINITY);
  if (isLeftOut) await writeNote(context, output, 'Nothing is left of the answer.');
  await writeNotes();
  if (meta === undefined || (file === null && output.format === 'json')) return;
  if (file !== null || output.format === 'table') {
    await writeNote(context, output, answerNote(meta, params, extractor.config));
  }
  if (meta.next_cursor !== null) {
    await writeNote(
      context,
      output,
      'More pages: --all reads them all, --json shows the cursor of the next one.',
    );
  }
}

/** Defines the arguments, options and action of an endpoint's command. `help` if its help may be shown. */
export function defineEndpointCommand(
  command: Command,
  endpoint: Endpoint,
  context: Context,
  help: boolean,
): Command {
  const identifying = identifyingParams(endpoint);
  if (identifying.length > 0) command.argument(`[${identifying.join('|')}]`);
  command.optionsGroup('Parameters:');
  const known = parameterOptions(endpoint, help);
  for (const { option } of known) command.addOption(option);
  const renamed = renamedOptions(endpoint);
  for (const { option } of renamed) command.addOption(option);
  if (endpoint.page !== null) {
    command.option('--all', 'Read all pages of the list; each page costs one call');
  }
  addTableOptions(command);
  command
    .addOption(noSourcesOption())
    .optionsGroup('Files:')
    .option(
      '-o, --output <file>',
      'Write to this file, or to a bucket (s3://bucket/name.csv); its ending names the format: .ndjson, .json, .csv, .tsv, .xlsx, .sqlite or .parquet',
    )
    .option('--overwrite', 'Replace the file if it exists')
    .option('--append', 'Add to an existing SQLite, NDJSON, CSV or TSV file');
  addStepOptions(command, 'call')
    .optionsGroup('Pages:')
    .option('--save-pages <dir>', 'Save every page that is fetched to this folder; skips the cache')
    .addOption(
      new Option('--from-pages <dir>', 'Read the pages saved in this folder, not the network').conflicts([
        'savePages',
        'archive',
        'demo',
      ]),
    )
    .option('--debug', 'After an error, describe every page that was received (like EXTRACT_DEBUG)');
  return command.action(async (...given: unknown[]) => {
    const argument = identifying.length > 0 ? (given[0] as string | undefined) : undefined;
    const typed = command.optsWithGlobals<Options>();
    const run = async (options: Options) => {
      const output = outputOf(options, context);
      const named = options.output ?? options.append ?? options.overwrite;
      const file =
        named === undefined ? null : await (await import('./formats/file.js')).answerFileOf(options);
      const sources = wantsSources(options, file === null ? output.format : file.kind);
      const all = options.all === true;
      const requested = await requestedSteps(stepValuesOf(options), {
        ...{ place: 'call', endpoint, all },
        output: file,
      });
      const request: CallRequest = {
        endpoint,
        params: {
          ...callDefaults(requested),
          ...paramsOf(endpoint, argument, options, [...known, ...renamed]),
          ...(sources ? { sources } : {}),
        },
        showsSources: sources,
        requested,
        all,
        output: { ...output, sources },
        selection: selectionOf(endpoint.returns, endpoint.many, output, endpoint.columns),
        file,
      };
      const { savePages, fromPages } = options as { savePages?: string; fromPages?: string };
      const pages = { savePages, fromPages } as Partial<Config>;
      const opened = { requested, config: pages, quiet: !request.output.showNotes };
      await withArchive(context, opened, (extractor) => runCall(context, request, extractor));
    };
    if (typeof typed.output !== 'string') return run(typed);
    const { withObjectFile } = await import('./bucket/object-file.js');
    return withObjectFile(context, typed.output, typed, ({ file }) => run({ ...typed, output: file }));
  });
}
