import type { BackoffPeriod } from '../../../lib/batch/backoff.js';
import { batchId } from '../../../lib/batch/batch.js';
import type { Config } from '../../../lib/config.js';
import { elapsed, systemClock } from '../../../lib/runtime/clock.js';
import type { BatchFile } from '../../batch-files/batch-file.js';
import { type BatchOutcome, type BatchRun, runToFile, runToStream } from '../../batch-files/batch-run.js';
import { boundHeap } from '../../batch-files/bound-heap.js';
import type { Input } from '../../batch-files/input.js';
import { type LineFormat, ndjsonFormat } from '../../batch-files/line-format.js';
import { openBatchFile } from '../../batch-files/open-batch-file.js';
import { type InputSource, openSource, readInputs } from '../../batch-files/read-inputs.js';
import { noTotals, type Totals } from '../../batch-files/totals.js';
import type { NewsRun } from '../../news/news-run.js';
import { paramOfArgument } from '../../output/plain-argument.js';
import { type CommandExtractor, type Context, withExtractor } from '../context.js';
import { batchNews } from '../news/batch-news.js';
import { withNewsRun } from '../news/with-news.js';
import type { BatchCommandOptions } from './batch-options.js';
import { countInputs } from './count-inputs.js';
import { writeEstimate } from './dry-run.js';
import { type BatchProgress, restText } from './progress.js';
import { progressKind, showProgress } from './show-progress.js';
import { isStream, streamTo } from './stream-output.js';
import { writeSummary } from './write-summary.js';

/** Calls under way for each request that may be: enough that none waits for a disk, and no more that hold memory. */
const callsPerRequest = 2;

function configOf({ endpoint: { platform }, concurrency, paceMs }: BatchCommandOptions): Partial<Config> {
  return {
    // The inputs of a batch are many and differ: an entry would leave the memory tier before its next use.
    cacheMemoryMb: 0,
    ...(concurrency === undefined ? {} : { concurrency: { [platform]: concurrency } }),
    ...(paceMs === undefined ? {} : { paceMs: { [platform]: paceMs } }),
  };
}

/** Inputs with the parameters that the command line gives to all of them. */
async function* withDefaults(
  inputs: AsyncIterable<Input>,
  { defaults }: BatchCommandOptions,
): AsyncGenerator<Input> {
  for await (const input of inputs) {
    yield input.params === null ? input : { ...input, params: { ...defaults, ...input.params } };
  }
}

function inputsOf(source: InputSource, options: BatchCommandOptions): AsyncIterable<Input> {
  const { endpoint, inputFormat: format, defaults } = options;
  const nameOf = (value: string) => paramOfArgument(endpoint, value) ?? 'query';
  const inputs = readInputs(source.chunks, { format, endpoint, nameOf });
  return Object.keys(defaults).length === 0 ? inputs : withDefaults(inputs, options);
}

async function formatOf({
  endpoint,
  outputFormat,
  flatten,
  newsName,
  csvRaw,
}: BatchCommandOptions): Promise<LineFormat> {
  return outputFormat === 'csv'
    ? (await import('./csv-format.js')).csvFormat(endpoint, { raw: csvRaw, news: newsName !== null })
    : ndjsonFormat(flatten);
}

interface LiveState {
  totals: Totals;
  period: BackoffPeriod | undefined;
  total: number | undefined;
}

/** What a run is told beside its options. */
interface Surrounding {
  /** The command that takes the batch up again. */
  readonly goOn: string | null;
  readonly onEnded: ((outcome: BatchOutcome) => void) | undefined;
  readonly news: NewsRun | undefined;
}

async function runToOutput(
  context: Context,
  options: BatchCommandOptions,
  source: InputSource,
  extractor: CommandExtractor,
  { goOn, onEnded, news }: Surrounding,
): Promise<void> {
  boundHeap();
  const { endpoint, output, mode, outputFormat, all, flatten, concurrency } = options;
  const clock = systemClock;
  const toFile = output !== null && !(await isStream(output));
  const { newsName } = options;
  const shape = { output: outputFormat, all, flatten, ...(newsName === null ? {} : { new: newsName }) };
  const { filter, onSaved } = news === undefined ? {} : batchNews(news);
  const session: BatchFile | undefined = toFile
    ? await openBatchFile({ file: output, mode, clock, batch: { endpoint: endpoint.path, shape }, onSaved })
    : undefined;
  const watch: LiveState = {
    totals: session?.from.totals ?? noTotals,
    period: undefined,
    total: undefined,
  };
  const before = watch.totals.inputs;
  const began = elapsed(clock);
  const moment = (): BatchProgress => ({
    totals: watch.totals,
    size: source.size,
    total: watch.total,
    elapsed: elapsed(clock) - began,
    before,
    rest: watch.period !== undefined && watch.period.until > clock.now() ? watch.period : undefined,
    stopping: context.signal.aborted,
  });
  const kind = progressKind(context, options);
  const progress = await showProgress(context, kind, moment);
  let isOver = false;
  const counting = countInputs(options, () => isOver).then((total) => {
    watch.total = total;
  });
  const run: BatchRun = {
    client: extractor,
    endpoint,
    inputs: inputsOf(source, options),
    format: await formatOf(options),
    options: {
      all,
      onRefusal: options.onRefusal,
      limitCredits: options.limitCredits,
      concurrency: concurrency === undefined ? undefined : concurrency * callsPerRequest,
      stop: context.signal,
    },
    clock,
    news: filter,
    onLine: (totals) => {
      watch.totals = totals;
    },
    onBackoff: (period) => {
      watch.period = period;
      if (kind === 'lines') context.stderr.write(`${restText(period, clock.now())}\n`).catch(() => undefined);
    },
  };
  let ended: BatchOutcome;
  try {
    ended =
      session === undefined
        ? await runToStream(run, await streamTo(context, output, onSaved), batchId())
        : await runToFile(run, session);
    // A batch that is not finished says how much is left of it.
    isOver = ended.finished;
    await counting;
  } finally {
    isOver = true;
    await progress.end();
  }
  onEnded?.(ended);
  await writeSummary(context, options, ended, moment(), session === undefined ? null : goOn);
}

/**
 * Runs a batch as the command line wants it; `goOn` is the command that takes it up again. Throws the error or the exit
 * status of the batch, after `onEnded`.
 */
export async function runBatchCommand(
  context: Context,
  options: BatchCommandOptions,
  goOn: string | null,
  onEnded?: (outcome: BatchOutcome) => void,
): Promise<void> {
  const source = options.input === null ? context.stdin() : await openSource(options.input);
  try {
    await withExtractor(context, configOf(options), async (extractor) => {
      const { newsName: name, newsCounts: counts, endpoint, all } = options;
      const { home } = extractor.config;
      const run = (news?: NewsRun) =>
        runToOutput(context, options, source, extractor, { goOn, onEnded, news });
      if (options.dryRun) await writeEstimate(context, options, inputsOf(source, options), extractor);
      else if (name === null) await run();
      else await withNewsRun(home, { endpoint, name, all, counts }, run);
    });
  } finally {
    await source.close();
  }
}
