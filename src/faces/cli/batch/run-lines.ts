import path from 'node:path';
import { systemClock } from '../../../../lib/runtime/clock.js';
import {
  type BatchOutcome,
  type BatchRun,
  callsPerRequest,
  runToSink,
} from '../../../files/batch-files/batch-run.js';
import { boundHeap } from '../../../files/batch-files/bound-heap.js';
import type { Input } from '../../../files/batch-files/input.js';
import type { LookedUp } from '../../../files/batch-files/looked-up.js';
import { openJournal } from '../../../files/batch-files/run-journal.js';
import { abandon, type RunSink } from '../../../files/batch-files/run-sink.js';
import { type LineSteps, lackText, openSteps } from '../../../lines/run-steps.js';
import type { RequestedStep, StartedRun } from '../../../lines/step.js';
import type { CommandExtractor, Context } from '../context.js';
import { ExitStatusError } from '../exit-status-error.js';
import { printable } from '../printable.js';
import { stepPorts } from '../step-ports.js';
import type { RunOptions } from './batch-options.js';
import { FailedLines } from './failed-text.js';
import { countFields } from './field-shares.js';
import { makeOutputOfHistory, planSink, type SinkRequest } from './open-sink.js';
import { startText } from './progress.js';
import { trackBatch } from './track-batch.js';
import { type OutputFiles, writeSummary } from './write-summary.js';

/** A run: inputs, their calls, steps, and a sink. A batch, a stage of a chain, an area and a grid each are one. */
export interface LineRun extends Omit<SinkRequest, 'identity'> {
  readonly requested: readonly RequestedStep[];
  /** Called once the steps are open. */
  inputs(): AsyncIterable<Input>;
  /** Bytes of the inputs, if known. */
  readonly size?: number | undefined;
  /** Returns the total number of inputs, if known. */
  total(): number | undefined;
  /** Counts the inputs until `isOver`. */
  count?(isOver: () => boolean): Promise<void>;
  /** Looks up what the inputs depend on before the sink is opened; `before` is the look-up of the run being resumed. */
  lookUp?(before: LookedUp | undefined): Promise<LookedUp | undefined>;
  /** What an input is called; “line” by default. */
  readonly word?: string;
  notes?(): readonly string[];
  onFinished?(id: string): Promise<void>;
  /** Files left next to the output, and the options that read them. */
  readonly keeps: Pick<OutputFiles, 'more' | 'uses'>;
  /** The command that resumes the run; null if it cannot be resumed. */
  readonly resumeHint: string | null;
  readonly onEnded?: ((ended: BatchOutcome) => void) | undefined;
}

function openRunSteps(
  context: Context,
  options: RunOptions,
  { requested }: LineRun,
  extractor: CommandExtractor,
): Promise<LineSteps> {
  const { endpoint, output, bucket, defaults, sources } = options;
  const outputName = output === null ? null : (bucket?.addressOf(output) ?? path.resolve(output));
  const demo = defaults.demo === true;
  const ports = stepPorts(context, extractor, { endpoint, file: output, output: outputName, demo });
  const history = async (file: string) => {
    await makeOutputOfHistory(options, file);
    return ports.history(file);
  };
  const { plain } = options.chained ?? {};
  const plainLines =
    plain === undefined
      ? undefined
      : ({ writtenInputs }: StartedRun) => openJournal(plain, writtenInputs, () => undefined);
  return openSteps(requested, { ...ports, history, plainLines }, { sources });
}

/** Opens the sink, after a look-up. */
async function openSink(
  { lookUp }: LineRun,
  plan: Awaited<ReturnType<typeof planSink>>,
  steps: LineSteps,
): Promise<{ readonly sink: RunSink; readonly lookedUp: LookedUp | undefined }> {
  const lookedUp = lookUp === undefined ? undefined : await lookUp(await plan.check());
  const sink = await plan.open(lookedUp, ({ totals }) => steps.saved(totals.inputs));
  try {
    const { id, from, isResumable, retry } = sink;
    await steps.begin({ id, writtenInputs: from.totals.inputs, isResumable, retries: retry !== undefined });
    return { sink, lookedUp };
  } catch (cause) {
    await abandon(sink);
    throw cause;
  }
}

/** If finishing the sink fails, the run counts as unfinished. */
async function finishSink(
  { stderr, signal }: Context,
  { quiet }: RunOptions,
  sink: RunSink,
  outcome: BatchOutcome,
): Promise<BatchOutcome> {
  if (!outcome.finished) return outcome;
  if (sink.builtFile !== null && stderr.isTTY && !quiet)
    await stderr.write(`Writing ${printable(sink.builtFile.file)} …\n`);
  try {
    await sink.finish(signal);
    return outcome;
  } catch (error) {
    return { ...outcome, finished: false, error: signal.aborted ? null : error };
  }
}

/** Returns the files that a run leaves in the user's folder. For an object they are in the data directory. */
function outputFilesOf({ output, bucket }: RunOptions, { keeps }: LineRun, { builtFile }: RunSink) {
  if (output === null || bucket !== undefined) return undefined;
  return { output, lines: builtFile?.lines ?? null, ...keeps };
}

async function runWithSteps(
  context: Context,
  options: RunOptions,
  run: LineRun,
  extractor: CommandExtractor,
  steps: LineSteps,
): Promise<void> {
  boundHeap();
  const { endpoint, concurrency, defaults, chained, onRefusal, waitAtMostMs, limitCredits, all } = options;
  const { requested, size, resumeHint } = run;
  const plan = await planSink(context, options, { ...run, identity: steps.identity });
  const { sink, lookedUp } = await openSink(run, plan, steps);
  const spentBefore = chained?.spent ?? lookedUp?.charged;
  const tracking = await trackBatch(context, extractor, options, {
    ...{ endpoint, demo: defaults.demo === true, from: sink.from.totals, size },
    total: () => run.total(),
    without: lackText(requested),
    spentBefore: lookedUp?.charged,
  });
  let isOver = false;
  let hasEnded = false;
  const counting = run
    .count?.(() => isOver)
    .then(() => {
      const text = tracking.kind === 'lines' && !hasEnded ? startText(tracking.current()) : '';
      if (text !== '') context.stderr.write(text).catch(() => undefined);
    });
  const failedLines = new FailedLines(run.word ?? 'line');
  const fieldCount = countFields(endpoint, extractor);
  const batch: BatchRun = {
    client: fieldCount.client,
    endpoint,
    inputs: run.inputs(),
    format: failedLines.noting(plan.format),
    options: {
      ...{ all, onRefusal, waitAtMostMs, limitCredits },
      concurrency: concurrency === undefined ? undefined : concurrency * callsPerRequest,
      stop: context.signal,
    },
    clock: systemClock,
    spentBefore,
    steps: requested.length === 0 ? undefined : steps,
    // They contain real names.
    keepsAnswers: options.steps.pseudonymise === undefined,
    onLine: tracking.onLine,
    onBackoff: tracking.onBackoff,
  };
  let outcome: BatchOutcome;
  try {
    outcome = await runToSink(batch, sink);
    hasEnded = true;
    // An unfinished batch says how much is left.
    isOver = outcome.finished;
    await counting;
  } finally {
    isOver = true;
    await tracking.end();
  }
  outcome = await finishSink(context, options, sink, outcome);
  run.onEnded?.(outcome);
  if (outcome.finished) await run.onFinished?.(sink.id);
  const sentences = [failedLines.text(outcome.totals), failedLines.rereadText()].filter(
    (text) => text !== '',
  );
  const notes = [
    ...[...sentences, ...(await fieldCount.compare())],
    ...[...(run.notes?.() ?? []), ...steps.summary()],
  ];
  const outputFiles = outputFilesOf(options, run, sink);
  const retries = run.keeps.uses.includes('--retry-failed');
  try {
    const summary = { ...outcome, notes, retries, outputFiles };
    await writeSummary(context, options, summary, tracking.current(), sink.isResumable ? resumeHint : null);
  } finally {
    await steps.end(outcome);
  }
  if (steps.isPart()) throw new ExitStatusError(7);
}

/** Runs inputs into their sink. Throws the error or the exit status of the run, after `onEnded`. */
export async function runLines(
  context: Context,
  options: RunOptions,
  run: LineRun,
  extractor: CommandExtractor,
): Promise<void> {
  const steps = await openRunSteps(context, options, run, extractor);
  try {
    await runWithSteps(context, options, run, extractor, steps);
  } finally {
    await steps.close();
  }
}
