import path from 'node:path';
import { Readable } from 'node:stream';
import { batchId } from '../../../../lib/batch/batch.js';
import type { Config } from '../../../../lib/config.js';
import { systemClock } from '../../../../lib/runtime/clock.js';
import { type BatchOutcome, type BatchRun, callsPerRequest } from '../../../files/batch-files/batch-run.js';
import { boundHeap } from '../../../files/batch-files/bound-heap.js';
import type { OnSaved } from '../../../files/batch-files/output.js';
import { type InputSource, openSource } from '../../../files/batch-files/read-inputs.js';
import { noTotals } from '../../../files/batch-files/totals.js';
import { callDefaults, lackText, openSteps } from '../../../lines/run-steps.js';
import type { RequestedStep } from '../../../lines/step.js';
import { counted } from '../../../output/number-text.js';
import type { CommandExtractor, Context } from '../context.js';
import { ExitStatusError } from '../exit-status-error.js';
import { requestedSteps } from '../step-options.js';
import { requirePages, stepPorts } from '../step-ports.js';
import { withArchive } from '../with-archive.js';
import { type BatchInputs, openBatchInputs } from './batch-inputs.js';
import { type BatchCommandOptions, plannedBatch } from './batch-options.js';
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
    // The inputs of a batch are many and different, so an entry would be evicted from the memory tier before its next
    // use.
    cacheMemoryMb: 0,
    ...(concurrency === undefined ? {} : { concurrency: { [platform]: concurrency } }),
    ...(paceMs === undefined ? {} : { paceMs: { [platform]: paceMs } }),
  };
}

/** Says how many earlier errors requested nothing. */
function leftOutText(count: number): string[] {
  if (count === 0) return [];
  return [
    `Left out: ${count === 1 ? 'a line' : `${count} lines`} of the input that ${count === 1 ? 'is an error' : 'are errors'} of an earlier batch.`,
  ];
}

/** Says how many rows of a table had no value to request. */
const blankText = (count: number) =>
  count === 0 ? [] : [`Left out: ${counted(count, 'row')} without a value.`];

/** The caller of a batch. */
export interface BatchRunner {
  /** The command that resumes the batch. */
  readonly goOn: string | null;
  readonly onEnded?: (ended: BatchOutcome) => void;
}

async function runToOutput(
  context: Context,
  options: BatchCommandOptions,
  { source, read }: { readonly source: InputSource; readonly read: BatchInputs },
  extractor: CommandExtractor,
  { goOn, onEnded, requested }: BatchRunner & { readonly requested: readonly RequestedStep[] },
): Promise<void> {
  boundHeap();
  const { endpoint, output, all, concurrency, sources } = options;
  const toFile = output !== null && !(await isStream(output));
  const demo = options.defaults.demo === true;
  const shown = output === null ? null : (options.bucket?.shown(output) ?? path.resolve(output));
  const ports = stepPorts(context, extractor, { endpoint, file: output, output: shown, demo });
  const history = async (file: string) => {
    await makeOutputOfHistory(options, file);
    return ports.history(file);
  };
  const steps = await openSteps(requested, { ...ports, history }, { sources });
  try {
    const built = await builtOutput(options, toFile, read.own);
    const upload =
      output === null ? undefined : await options.bucket?.begin(output, options.mode === 'overwrite');
    const format = await formatOf(options, read.own);
    const head = options.append && built === null ? format.head : null;
    let grows = false;
    const onSaved: OnSaved = async ({ totals }, bytes) => {
      if (grows) upload?.grow(bytes);
      await steps.saved(totals.inputs);
    };
    const file = toFile ? await openSession(options, output, steps, built, onSaved, head) : undefined;
    // Lines that only precede the output are not the object, and those of a retry not yet.
    grows = built === null && head === null && file?.retry === undefined;
    const id = file?.id ?? batchId();
    const reached = file?.from.totals.inputs ?? 0;
    await steps.begin({
      ...{ id, reached },
      isResumable: file !== undefined,
      retries: file?.retry !== undefined,
    });
    let total: number | undefined;
    const tracking = await trackBatch(context, extractor, options, {
      ...{ endpoint, demo, from: file?.from.totals ?? noTotals },
      size: source.size,
      total: () => total,
      without: lackText(requested),
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
      format: failed.noting(format),
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
      // They contain plain names.
      keepsAnswers: options.steps.pseudonymise === undefined,
      onLine: tracking.onLine,
      onBackoff: tracking.onBackoff,
    };
    let ended: BatchOutcome;
    try {
      ended = await runLines(context, run, { file, output, id, onSaved });
      hasEnded = true;
      // A batch that is not finished says how much of it is left.
      isOver = ended.finished;
      await counting;
    } finally {
      isOver = true;
      await tracking.end();
    }
    ended = await finishOutput(context, options, ended, {
      built,
      id,
      upload,
      added: toFile && head !== null ? { file: output, head } : undefined,
    });
    onEnded?.(ended);
    const comparison = await fieldCount.compare();
    const failedText = failed.text(ended.totals);
    const notes = [
      ...[failedText, failed.anewText()].filter((text) => text !== ''),
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

/** Returns the source of the inputs: none if they have been read. */
async function sourceOf(context: Context, { input, addressed }: BatchCommandOptions): Promise<InputSource> {
  if (addressed !== undefined)
    return { chunks: Readable.from([]), size: undefined, close: async () => undefined };
  return input === null ? context.stdin() : openSource(input);
}

/** Runs a batch as the command line specifies. Throws the error or the exit status of the batch, after `onEnded`. */
export async function runBatchCommand(
  context: Context,
  given: BatchCommandOptions,
  runner: BatchRunner,
): Promise<void> {
  const requested = await requestedSteps(given.steps, plannedBatch(given));
  const options = { ...given, defaults: { ...callDefaults(requested), ...given.defaults } };
  const { dryRun, quiet } = options;
  const source = await sourceOf(context, options);
  try {
    const read = await openBatchInputs(context, source, options);
    const config = configOf(options);
    await withArchive(context, { quiet, config, requested: dryRun ? [] : requested }, async (extractor) => {
      if (dryRun) return writeEstimate(context, options, read.inputs, extractor);
      requirePages(requested, extractor.config);
      await runToOutput(context, options, { source, read }, extractor, { ...runner, requested });
    });
  } finally {
    await source.close();
  }
}
