import { Readable } from 'node:stream';
import { batchId } from '../../../../lib/batch/batch.js';
import type { Config } from '../../../../lib/config.js';
import { systemClock } from '../../../../lib/runtime/clock.js';
import { type BatchOutcome, type BatchRun, callsPerRequest } from '../../../files/batch-files/batch-run.js';
import { boundHeap } from '../../../files/batch-files/bound-heap.js';
import type { OnSaved } from '../../../files/batch-files/output.js';
import { type InputSource, openSource } from '../../../files/batch-files/read-inputs.js';
import { noTotals } from '../../../files/batch-files/totals.js';
import type { OnlyNewRun } from '../../../files/seen-items/only-new-run.js';
import { needSources, openSteps } from '../../../lines/run-steps.js';
import type { OpenStep, RequestedStep } from '../../../lines/step.js';
import { counted } from '../../../output/number-text.js';
import { withArchive } from '../archive/with-archive.js';
import type { CommandExtractor, Context } from '../context.js';
import { ExitStatusError } from '../exit-status-error.js';
import { type HistoryWriter, historyStep, withHistory } from '../history/with-history.js';
import { newsStep, withNewsRun } from '../news/with-news.js';
import { noticesStep } from '../notify/batch-alert.js';
import type { Notifier } from '../notify/notifier.js';
import { requestedSteps } from '../step-options.js';
import { type BatchInputs, openBatchInputs } from './batch-inputs.js';
import { mediaStep } from './batch-media.js';
import type { BatchCommandOptions } from './batch-options.js';
import {
  builtOutput,
  finishOutput,
  formatOf,
  isStream,
  keptFiles,
  makeOutputOfHistory,
  openSession,
  runLines,
} from './batch-output.js';
import { countInputs } from './count-inputs.js';
import { writeEstimate } from './dry-run.js';
import { FailedLines } from './failed-text.js';
import { countFields } from './field-shares.js';
import { startText } from './progress.js';
import { trackBatch } from './track-batch.js';
import { writeSummary } from './write-summary.js';

function configOf(options: BatchCommandOptions): Partial<Config> {
  const { endpoint, concurrency, paceMs, savePages } = options;
  const { platform } = endpoint;
  return {
    ...(savePages !== undefined && { savePages }),
    // The inputs of a batch are many and differ: an entry would leave the memory tier before its next use.
    cacheMemoryMb: 0,
    ...(concurrency === undefined ? {} : { concurrency: { [platform]: concurrency } }),
    ...(paceMs === undefined ? {} : { paceMs: { [platform]: paceMs } }),
  };
}

/** Says how many earlier errors asked for nothing. */
function leftOutText(count: number): string[] {
  if (count === 0) return [];
  return [
    `Left out: ${count === 1 ? 'a line' : `${count} lines`} of the input that ${count === 1 ? 'is an error' : 'are errors'} of an earlier batch.`,
  ];
}

/** Says how many rows of a table had nothing to ask about. */
const blankText = (count: number) =>
  count === 0 ? [] : [`Left out: ${counted(count, 'row')} without a value.`];

/** Who runs a batch. */
export interface BatchRunner {
  /** The command that takes the batch up again. */
  readonly goOn: string | null;
  /** Tells of what is found; null for nobody. */
  readonly notifier?: Notifier | null;
  readonly onEnded?: (ended: BatchOutcome) => void;
}

/** The surroundings of a run. */
interface Surrounding extends BatchRunner {
  readonly requested: readonly RequestedStep[];
  readonly news: OnlyNewRun | undefined;
  readonly history: HistoryWriter | null;
}

/** True where something other than the user needs the sources of items. */
const needsSources = (
  { captions, notify, history, newsName }: BatchCommandOptions,
  requested: readonly RequestedStep[],
) => captions || notify.length > 0 || history !== null || newsName !== null || needSources(requested);

/** Names the thing that inputs without a line lack: news, a match or both. */
function withoutText({ newsName, steps: { when } }: BatchCommandOptions): string {
  if (when === undefined) return 'news';
  return newsName === null ? 'a match' : 'news or a match';
}

/** The steps that are not in the table yet, around those that are. */
function aroundTable(
  context: Context,
  options: BatchCommandOptions,
  { config }: CommandExtractor,
  { requested, history, news, notifier = null }: Surrounding,
): readonly RequestedStep[] {
  const opened = (step: OpenStep): RequestedStep => ({ open: () => step });
  return [
    ...(history === null ? [] : [opened(historyStep(history))]),
    ...(news === undefined ? [] : [opened(newsStep(news))]),
    ...requested,
    ...(options.media === null ? [] : [opened(mediaStep(context, options, config))]),
    ...(notifier === null ? [] : [opened(noticesStep(context, options, notifier, config.home))]),
  ];
}

async function runToOutput(
  context: Context,
  options: BatchCommandOptions,
  { source, read }: { readonly source: InputSource; readonly read: BatchInputs },
  extractor: CommandExtractor,
  surrounding: Surrounding,
): Promise<void> {
  boundHeap();
  const { endpoint, output, all, concurrency, sources } = options;
  const { goOn, onEnded } = surrounding;
  const { home } = extractor.config;
  const toFile = output !== null && !(await isStream(output));
  const requested = aroundTable(context, options, extractor, surrounding);
  const steps = await openSteps(requested, { endpoint, home }, { sources });
  try {
    const built = await builtOutput(options, toFile, read.own);
    const upload =
      output === null ? undefined : await options.bucket?.begin(output, options.mode === 'overwrite');
    let grows = false;
    const onSaved: OnSaved = async ({ totals }, bytes) => {
      if (grows) upload?.grow(bytes);
      await steps.saved(totals.inputs);
    };
    const file = toFile ? await openSession(options, output, steps, built, onSaved) : undefined;
    // Lines that only stand in for the output are not the object, and those of a retry not yet.
    grows = built === null && file?.retry === undefined;
    const id = file?.id ?? batchId();
    const reached = file?.from.totals.inputs ?? 0;
    await steps.begin({
      ...{ id, reached },
      isResumable: file !== undefined,
      retries: file?.retry !== undefined,
    });
    let total: number | undefined;
    const tracking = await trackBatch(context, extractor, options, {
      ...{ endpoint, demo: options.defaults.demo === true, from: file?.from.totals ?? noTotals },
      size: source.size,
      total: () => total,
      without: withoutText(options),
    });
    let isOver = false;
    let hasEnded = false;
    const counting = countInputs(options, () => isOver).then((count) => {
      total = count;
      const text = tracking.kind === 'lines' && !hasEnded ? startText(tracking.current()) : '';
      if (text !== '') context.stderr.write(text).catch(() => undefined);
    });
    const failed = new FailedLines();
    const fieldCount = countFields(endpoint, extractor);
    const run: BatchRun = {
      client: fieldCount.client,
      endpoint,
      inputs: read.inputs,
      format: failed.noting(await formatOf(options, read.own)),
      options: {
        all,
        onRefusal: options.onRefusal,
        waitAtMostMs: options.waitAtMostMs,
        limitCredits: options.limitCredits,
        concurrency: concurrency === undefined ? undefined : concurrency * callsPerRequest,
        stop: context.signal,
      },
      clock: systemClock,
      spentBefore: options.chained?.spent,
      steps: requested.length === 0 ? undefined : steps,
      // They hold plain names.
      keepsAnswers: options.steps.pseudonymise === undefined,
      onLine: tracking.onLine,
      onBackoff: tracking.onBackoff,
    };
    let ended: BatchOutcome;
    try {
      ended = await runLines(context, run, { file, output, id, onSaved });
      hasEnded = true;
      // A batch that is not finished says how much is left of it.
      isOver = ended.finished;
      await counting;
    } finally {
      isOver = true;
      await tracking.end();
    }
    ended = await finishOutput(context, options, ended, { built, id, upload });
    onEnded?.(ended);
    const comparison = await fieldCount.compare();
    const failedText = failed.text(ended.totals);
    const notes = [
      ...(failedText === '' ? [] : [failedText]),
      ...comparison,
      ...leftOutText(read.leftOut()),
      ...blankText(read.blank()),
      ...steps.summary(),
    ];
    const kept = keptFiles(options, built);
    const goOnText = file === undefined ? null : goOn;
    try {
      await writeSummary(
        context,
        options,
        { ...ended, comparison: notes, kept },
        tracking.current(),
        goOnText,
      );
    } finally {
      await steps.end(ended);
    }
    if (steps.isPart()) throw new ExitStatusError(7);
  } finally {
    await steps.close();
  }
}

/** The source of the inputs: nothing where they are read. */
async function sourceOf(context: Context, { input, addressed }: BatchCommandOptions): Promise<InputSource> {
  if (addressed !== undefined)
    return { chunks: Readable.from([]), size: undefined, close: async () => undefined };
  return input === null ? context.stdin() : openSource(input);
}

/** Runs a batch as the command line wants it. Throws the error or the exit status of the batch, after `onEnded`. */
export async function runBatchCommand(
  context: Context,
  given: BatchCommandOptions,
  runner: BatchRunner,
): Promise<void> {
  const requested = await requestedSteps(given.steps, given.endpoint);
  const options = needsSources(given, requested)
    ? { ...given, defaults: { ...given.defaults, sources: true } }
    : given;
  const source = await sourceOf(context, options);
  try {
    const read = await openBatchInputs(context, source, options);
    const { dryRun, quiet } = options;
    const opened = { ...{ quiet, config: configOf(options) }, archive: dryRun ? undefined : options.archive };
    await withArchive(context, opened, async (extractor) => {
      const { newsName: name, newsCounts: counts, endpoint, all } = options;
      const { home } = extractor.config;
      const run = (news?: OnlyNewRun) =>
        withHistory(options.history, endpoint, (history) =>
          runToOutput(context, options, { source, read }, extractor, {
            ...{ ...runner, requested, news, history },
          }),
        );
      if (dryRun) return writeEstimate(context, options, read.inputs, extractor);
      await makeOutputOfHistory(options);
      if (name === null) await run();
      else await withNewsRun(home, { endpoint, name, all, counts }, run);
    });
  } finally {
    await source.close();
  }
}
