import { Readable } from 'node:stream';
import { batchId } from '../../../../lib/batch/batch.js';
import type { Config } from '../../../../lib/config.js';
import { systemClock } from '../../../../lib/runtime/clock.js';
import { type BatchOutcome, type BatchRun, callsPerRequest } from '../../../files/batch-files/batch-run.js';
import { boundHeap } from '../../../files/batch-files/bound-heap.js';
import type { InputResult } from '../../../files/batch-files/line-format.js';
import type { OnSaved } from '../../../files/batch-files/output.js';
import { type InputSource, openSource } from '../../../files/batch-files/read-inputs.js';
import { noTotals } from '../../../files/batch-files/totals.js';
import type { Condition } from '../../../files/condition/condition.js';
import type { OnlyNewRun } from '../../../files/seen-items/only-new-run.js';
import { counted } from '../../../output/number-text.js';
import { withArchive } from '../archive/with-archive.js';
import type { CommandExtractor, Context } from '../context.js';
import { ExitStatusError } from '../exit-status-error.js';
import { type HistoryWriter, withHistory } from '../history/with-history.js';
import { batchNews, removedText, withNewsRun } from '../news/with-news.js';
import { BatchAlert } from '../notify/batch-alert.js';
import type { Notifier } from '../notify/notifier.js';
import { openPseudonyms } from '../pseudonyms/pseudonym-options.js';
import { askedFor, conditionFilter, openCondition, undecidedText, withoutText } from './batch-condition.js';
import { type BatchInputs, openBatchInputs } from './batch-inputs.js';
import { openBatchMedia, reportMedia, saveMedia } from './batch-media.js';
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
  readonly news: OnlyNewRun | undefined;
  readonly condition: Condition | null;
  readonly history: HistoryWriter | null;
}

/** The work that a result needs before its line is written, so that a line in the output is done with. */
function workOf(
  context: Context,
  options: BatchCommandOptions,
  { condition, history }: Pick<Surrounding, 'condition' | 'history'>,
  media: Awaited<ReturnType<typeof openBatchMedia>>,
  id: string,
): BatchRun['beforeLine'] {
  if (media === null && history === null) return undefined;
  return async (result) => {
    const { json, item } = result;
    if (history !== null && json !== null && item.params !== null) {
      await history.record(id, item.params, item.texts === true, { ...result, json });
    }
    if (media === null) return 'done';
    return saveMedia(media.folder, options, result, condition, context.signal);
  };
}

async function runToOutput(
  context: Context,
  options: BatchCommandOptions,
  { source, read }: { readonly source: InputSource; readonly read: BatchInputs },
  extractor: CommandExtractor,
  { goOn, onEnded, notifier = null, news, condition, history }: Surrounding,
): Promise<void> {
  boundHeap();
  const { endpoint, output, all, concurrency } = options;
  const clock = systemClock;
  const toFile = output !== null && !(await isStream(output));
  const pseudonyms = await openPseudonyms(options.pseudonyms, extractor.config.home);
  const { filter: unseen, onSaved } = news === undefined ? {} : batchNews(news);
  const hides =
    pseudonyms === null || notifier === null
      ? null
      : await import('../../../files/pseudonyms/pseudonymised-lines.js');
  const told = (result: InputResult) =>
    hides === null || pseudonyms === null ? result : hides.pseudonymisedResult(pseudonyms, endpoint, result);
  let alert: BatchAlert | undefined;
  const isPlain =
    condition === null && !options.captions && notifier === null && history === null && news === undefined;
  const filter = isPlain
    ? unseen
    : conditionFilter(condition, unseen, options, async (result) => alert?.apply(told(result)));
  const built = await builtOutput(options, toFile, read.own);
  const upload =
    output === null ? undefined : await options.bucket?.begin(output, options.mode === 'overwrite');
  let grows = false;
  const saved: OnSaved = async (reached, bytes) => {
    if (grows) upload?.grow(bytes);
    // Before it is known to later runs, which would not tell of it.
    await alert?.saved(reached.totals.inputs);
    await onSaved?.(reached, bytes);
  };
  const session = toFile ? await openSession(options, output, pseudonyms, built, saved) : undefined;
  // Lines that only stand in for the output are not the object, and those of a retry not yet.
  grows = built === null && session?.retry === undefined;
  const id = session?.id ?? batchId();
  if (notifier !== null) {
    const { home } = extractor.config;
    alert = await BatchAlert.begin(options, notifier, home, { id, file: session, signal: context.signal });
  }
  let total: number | undefined;
  const media = await openBatchMedia(options, extractor.config);
  const tracking = await trackBatch(context, extractor, options, {
    ...{ endpoint, demo: options.defaults.demo === true, from: session?.from.totals ?? noTotals },
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
    format: failed.noting(await formatOf(options, read.own, pseudonyms)),
    options: {
      all,
      onRefusal: options.onRefusal,
      waitAtMostMs: options.waitAtMostMs,
      limitCredits: options.limitCredits,
      concurrency: concurrency === undefined ? undefined : concurrency * callsPerRequest,
      stop: context.signal,
    },
    clock,
    spentBefore: options.chained?.spent,
    news: filter,
    beforeLine: workOf(context, options, { condition, history }, media, id),
    onLine: tracking.onLine,
    onBackoff: tracking.onBackoff,
  };
  let ended: BatchOutcome;
  try {
    ended = await runLines(context, run, { file: session, output, id, onSaved: saved });
    hasEnded = true;
    // A batch that is not finished says how much is left of it.
    isOver = ended.finished;
    await counting;
  } finally {
    isOver = true;
    await tracking.end();
    await media?.close();
  }
  ended = await finishOutput(context, options, ended, { built, id, upload });
  onEnded?.(ended);
  const failedMedia = await reportMedia(context, options, media);
  const comparison = await fieldCount.compare();
  const goOnText = session === undefined ? null : goOn;
  const failedText = failed.text(ended.totals);
  const notes = [
    ...(failedText === '' ? [] : [failedText]),
    ...[...comparison, ...leftOutText(read.leftOut()), ...blankText(read.blank())],
    ...[...undecidedText(condition), ...removedText(news), ...(alert?.summary() ?? [])],
  ];
  const kept = keptFiles(options, built);
  try {
    await writeSummary(context, options, { ...ended, comparison: notes, kept }, tracking.current(), goOnText);
  } finally {
    await alert?.end(ended);
    await alert?.close();
  }
  if (failedMedia) throw new ExitStatusError(7);
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
  const condition = await openCondition(given);
  const options = askedFor(given, condition);
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
            ...{ ...runner, news, condition, history },
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
