import { type Command, Option } from 'commander';
import { type Coverage, isListEnd, joinCoverage } from '../../../lib/call/coverage.js';
import { type Answer, type Envelope, envelope, envelopeText, type Meta } from '../../../lib/call/envelope.js';
import type { Config } from '../../../lib/config.js';
import type { Endpoint } from '../../../lib/endpoint.js';
import { paginate } from '../../../lib/paginate.js';
import type { OnlyNewRun } from '../../files/seen-items/only-new-run.js';
import { coverageText } from '../../output/coverage-text.js';
import { identifyingParams, paramOfArgument } from '../../output/plain-argument.js';
import type { Selection } from '../../output/selection.js';
import { kebabCase } from '../../output/shell-words.js';
import { archiveOption, withArchive } from './archive/with-archive.js';
import type { CommandExtractor, Context } from './context.js';
import { writeAnswer, writeNote } from './deliver.js';
import type { AnswerFile } from './formats/file.js';
import type { CommandAnswer } from './formats/writer.js';
import { addHistoryOptions, historyFileOf } from './history/history-option.js';
import { type HistoryWriter, outcomeOf, withHistory } from './history/with-history.js';
import { newsDefaults, newsName } from './news/news-name.js';
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
import {
  addPseudonymOptions,
  openPseudonyms,
  type PseudonymRequest,
  pseudonymRequestOf,
} from './pseudonyms/pseudonym-options.js';
import { UsageError } from './usage-error.js';

type Params = Readonly<Record<string, unknown>>;

/** The call's parameters, as texts: the call itself parses and checks them. */
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

/** How old an answer is, and what it cost an account of a server. */
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

/** How much of a list its pages are, in any case. */
const coverageOf = ({ coverage }: Answer) => (coverage === undefined ? {} : { coverage });

/** A page of an answer, with what is no longer in its list. */
type AnswerPage = Envelope<unknown> & Pick<CommandAnswer, 'removed'>;

/** The pages of a listing, or the one answer. */
async function* answerPages(
  call: (params: Params) => Promise<Answer>,
  params: Params,
  all: boolean,
  progress: (items: number) => Promise<void>,
  news: OnlyNewRun | undefined,
): AsyncGenerator<AnswerPage> {
  if (news !== undefined) {
    yield* pagesOfNews(call, params, news, progress);
    return;
  }
  if (!all) {
    yield envelope(await call(params));
    return;
  }
  let items = 0;
  const list = async (given: Params) => {
    const answer = await call(given);
    return { ...envelope<unknown[]>(answer), ...coverageOf(answer) };
  };
  for await (const page of paginate(list, params)) {
    items += page.data.length;
    await progress(items);
    yield page;
  }
}

/** The new items of a list, page by page, as far as it has to be read. */
async function* pagesOfNews(
  call: (params: Params) => Promise<Answer>,
  params: Params,
  news: OnlyNewRun,
  progress: (items: number) => Promise<void>,
): AsyncGenerator<AnswerPage> {
  let items = 0;
  for (let page = 1, given = params; ; page += 1) {
    const answer = await call(given);
    const { next_cursor: cursor } = answer.meta;
    const readsOn = cursor !== null && (await news.readsOn({ params, texts: true }, answer));
    const found = await news.unseenItems(page, params, true, {
      ...{ ...answer, isWhole: isListEnd(answer), calls: page },
    });
    const { data, sources } = envelope<unknown[]>({ ...answer, json: '[]', ...found });
    items += data.length;
    await progress(items);
    const meta = { ...answer.meta, next_cursor: readsOn ? cursor : null };
    yield {
      ...{ data, meta, ...coverageOf(answer) },
      ...(sources === undefined ? {} : { sources: found === null ? [] : sources }),
      ...(found?.removed === undefined ? {} : { removed: found.removed }),
    };
    if (!readsOn) return;
    given = { ...params, cursor };
  }
}

interface CallRequest {
  readonly endpoint: Endpoint;
  readonly params: Params;
  readonly all: boolean;
  readonly output: OutputOptions;
  readonly selection: Selection;
  /** Null for the standard output. */
  readonly file: AnswerFile | null;
  /** The name of `--new`. */
  readonly newsName: string | undefined;
  /** Where sources are asked for on behalf of the history or of `--new` alone, the output has none. */
  readonly showsSources: boolean;
  /** The request to hide names; null shows all. */
  readonly pseudonyms: PseudonymRequest | null;
}

/** An answer's parts with pseudonyms in place of names; null where names are shown. */
async function namesHidden({ endpoint, pseudonyms: request }: CallRequest, home: string) {
  const pseudonyms = await openPseudonyms(request, home);
  if (pseudonyms === null) return null;
  const { pseudonymisedAnswer } = await import('../../files/pseudonyms/pseudonymised-lines.js');
  return {
    answer: (answer: Answer) => pseudonymisedAnswer(pseudonyms, endpoint, answer),
    page({ data, ...page }: AnswerPage): AnswerPage {
      const items = endpoint.many ? (data as readonly unknown[]) : [data];
      const named = pseudonyms.result(endpoint, { items, sources: page.sources });
      const sources = page.sources === undefined ? {} : { sources: named.sources as typeof page.sources };
      return { ...page, ...sources, data: endpoint.many ? named.items : named.items[0] };
    },
    params: (input: Params) => pseudonyms.result(endpoint, { input, items: [] }).input,
  };
}

const eraseLine = '\r\u001b[K';

/** A line that counts items while the terminal shows none of them; it disappears at the end. */
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

async function runCall(
  context: Context,
  request: CallRequest,
  extractor: CommandExtractor,
  history: HistoryWriter | null,
  news?: OnlyNewRun,
): Promise<void> {
  const { endpoint, params, all, output, selection, file } = request;
  const { stdout, signal } = context;
  const pages: Answer[] = [];
  const coverages: Coverage[] = [];
  const writeCoverage = async () => {
    // Of invented data nothing matters.
    const coverage = params.demo === true ? undefined : joinCoverage(coverages);
    const text = coverage === undefined ? '' : coverageText(endpoint, coverage);
    if (text !== '') await writeNote(context, output, text);
  };
  const call = async (given: Params) => {
    const answer = await extractor.answer(endpoint, given, { signal, texts: true });
    if (history !== null) pages.push(answer);
    if (answer.coverage !== undefined) coverages.push(answer.coverage);
    return request.showsSources || news !== undefined ? answer : { ...answer, sources: undefined };
  };
  const hidden = await namesHidden(request, extractor.config.home);
  const record = async () => {
    const [first] = pages;
    if (first !== undefined) await history?.record(first.meta.request_id, params, true, outcomeOf(pages));
  };
  if (file === null && output.format === 'json' && !selection.chosen && !all && news === undefined) {
    const answer = await call(params);
    const line = envelopeText(hidden === null ? answer : hidden.answer(answer));
    await stdout.write(`${stdout.isTTY ? printableJson(line) : line}\n`);
    await record();
    await writeCoverage();
    return;
  }
  let meta: Meta | undefined;
  let charged = 0;
  const progress = itemProgress(context, output);
  async function* watched() {
    try {
      for await (const page of answerPages(call, params, all, progress.items, news)) {
        charged += page.meta.credits_charged;
        meta = { ...page.meta, credits_charged: charged };
        const { sources, ...unplaced } = page;
        const shown = request.showsSources || sources === undefined ? page : unplaced;
        yield hidden === null ? shown : hidden.page(shown);
      }
    } finally {
      await progress.end();
    }
  }
  const writer =
    file === null
      ? undefined
      : (await import('./formats/file.js')).fileWriter(file, {
          endpoint,
          selection,
          input: hidden === null ? params : hidden.params(params),
          csv: output.csv,
          sources: output.sources,
        });
  await writeAnswer(context, output, selection, watched(), writer);
  // Only now, so that the next run gives these items again if the list broke off or the reader went away.
  await record();
  await news?.remember(Number.POSITIVE_INFINITY);
  if (news !== undefined) {
    const { removedText } = await import('./news/with-news.js');
    for (const text of removedText(news)) await writeNote(context, output, text);
  }
  await writeCoverage();
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

/** Gives the command of a row of the table its arguments, options and action. `help` when its help may be shown. */
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
    command
      .option('--all', 'Read all pages of the list; each page costs one call')
      .option(
        '--new <name>',
        'Leave out items that an earlier run under this name returned; reading stops where they begin',
        newsName,
      );
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
    .option('--append', 'Add to an existing SQLite database');
  addHistoryOptions(addPseudonymOptions(command))
    .optionsGroup('Pages:')
    .option('--save-pages <dir>', 'Save every page that is fetched to this folder; skips the cache')
    .addOption(
      new Option('--from-pages <dir>', 'Read the pages saved in this folder, not the network').conflicts([
        'savePages',
        'demo',
      ]),
    )
    .addOption(archiveOption().conflicts(['fromPages', 'demo']))
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
      const historyFile = historyFileOf(options, file ?? { file: null, kind: 'ndjson', append: false });
      const request: CallRequest = {
        endpoint,
        params: {
          ...(options.new === undefined ? {} : newsDefaults(endpoint)),
          ...paramsOf(endpoint, argument, options, [...known, ...renamed]),
          ...(sources || historyFile !== null || options.new !== undefined ? { sources: true } : {}),
        },
        showsSources: sources,
        pseudonyms: pseudonymRequestOf(options),
        newsName: options.new as string | undefined,
        all: options.all === true,
        output: { ...output, sources },
        selection: selectionOf(endpoint.returns, endpoint.many, output, endpoint.columns),
        file,
      };
      const { savePages, fromPages } = options as { savePages?: string; fromPages?: string };
      const pages = { savePages, fromPages } as Partial<Config>;
      const archive = options.archive as string | undefined;
      const opened = { ...{ archive, config: pages }, quiet: !request.output.showNotes };
      await withArchive(context, opened, async (extractor) => {
        const { newsName: name, all } = request;
        const call = (news?: OnlyNewRun) =>
          withHistory(historyFile, endpoint, (history) =>
            runCall(context, request, extractor, history, news),
          );
        if (name === undefined) return call();
        const { withNewsRun } = await import('./news/with-news.js');
        return withNewsRun(extractor.config.home, { endpoint, name, all, counts: false }, call);
      });
    };
    if (typeof typed.output !== 'string') return run(typed);
    const { withObjectFile } = await import('./bucket/object-file.js');
    return withObjectFile(context, typed.output, typed, ({ file }) => run({ ...typed, output: file }));
  });
}
