import type { Rest } from '../../../lib/batch/backoff.js';
import { batchId } from '../../../lib/batch/batch.js';
import type { Config } from '../../../lib/config.js';
import { elapsed, systemClock } from '../../../lib/runtime/clock.js';
import { type BatchOutcome, type BatchRun, runToFile, runToStream } from '../../batch-files/batch-run.js';
import { boundHeap } from '../../batch-files/bound-heap.js';
import type { Input } from '../../batch-files/input.js';
import { type InputSource, openSource, readInputs } from '../../batch-files/read-inputs.js';
import { failedCount, noTotals, type Totals } from '../../batch-files/totals.js';
import { paramOfArgument } from '../../output/plain-argument.js';
import { type CommandExtractor, type Context, withExtractor } from '../context.js';
import { ExitStatusError } from '../exit-status-error.js';
import { openBatchMedia, reportMedia, saveMedia } from './batch-media.js';
import type { BatchCommandOptions } from './batch-options.js';
import { buildFile, builtOutput, formatOf, isStream, openSession, streamTo } from './batch-output.js';
import { writeEstimate } from './dry-run.js';
import { type BatchProgress, type ProgressDisplay, summaryText } from './progress.js';

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

async function showProgress(
  { stdout, stderr }: Context,
  { progress, quiet, output }: BatchCommandOptions,
  moment: () => BatchProgress,
): Promise<ProgressDisplay> {
  const nothing = { async end() {} };
  // Lines that run over the same terminal would tear a view apart.
  const watched = stderr.isTTY && (output !== null || !stdout.isTTY);
  const kind = progress ?? (watched && !quiet ? 'view' : 'none');
  if (kind === 'jsonl') return (await import('./progress-jsonl.js')).jsonlProgress(stderr, moment);
  if (kind === 'none') return nothing;
  return (await import('./progress-view.js')).viewProgress(stderr, moment);
}

interface LiveState {
  totals: Totals;
  rest: Rest | undefined;
}

async function runToOutput(
  context: Context,
  options: BatchCommandOptions,
  source: InputSource,
  extractor: CommandExtractor,
  goOn: string,
): Promise<void> {
  boundHeap();
  const { endpoint, output, mode, all, concurrency } = options;
  const clock = systemClock;
  const toFile = output !== null && !(await isStream(output));
  const built = await builtOutput(options, toFile);
  const session = toFile ? await openSession(options, output, built, mode) : undefined;
  const watch: LiveState = { totals: session?.from.totals ?? noTotals, rest: undefined };
  const before = watch.totals.inputs;
  const began = elapsed(clock);
  const moment = (): BatchProgress => ({
    totals: watch.totals,
    size: source.size,
    elapsed: elapsed(clock) - began,
    before,
    rest: watch.rest !== undefined && watch.rest.until > clock.now() ? watch.rest : undefined,
    stopping: context.signal.aborted,
  });
  const media = await openBatchMedia(options, extractor.config);
  const progress = await showProgress(context, options, moment);
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
    beforeLine:
      media === null ? undefined : (result) => saveMedia(media.folder, endpoint, result, context.signal),
    onLine: (totals) => {
      watch.totals = totals;
    },
    onRest: (rest) => {
      watch.rest = rest;
    },
  };
  let ended: BatchOutcome;
  try {
    ended =
      session === undefined
        ? await runToStream(run, await streamTo(context, output), batchId())
        : await runToFile(run, session);
  } finally {
    await progress.end();
    await media?.close();
  }
  if (ended.finished && built !== null && session !== undefined) {
    ended = await buildFile(context, options, { ended, built, id: session.id });
  }
  const failedMedia = await reportMedia(context, options, media);
  await writeSummary(context, options, ended, moment(), session === undefined ? null : goOn);
  if (failedMedia) throw new ExitStatusError(7);
}

/** Writes the summary and how to continue, and throws the error or the exit status of the batch. */
async function writeSummary(
  context: Context,
  { quiet, progress }: BatchCommandOptions,
  { finished, error, totals }: BatchOutcome,
  moment: BatchProgress,
  goOn: string | null,
): Promise<void> {
  const { stderr, signal } = context;
  const closedPipe = (error as NodeJS.ErrnoException | null)?.code === 'EPIPE';
  if (!closedPipe && !quiet && progress !== 'jsonl') {
    await stderr.write(`${summaryText({ ...moment, totals })}\n`);
    if (!finished && goOn !== null) await stderr.write(`Go on with: ${goOn}\n`);
    else if (finished && goOn !== null && failedCount(totals) > 0) {
      await stderr.write('--retry-failed runs the failed inputs again.\n');
    }
  }
  if (error !== null) throw error;
  if (!finished && signal.aborted)
    throw new ExitStatusError((signal.reason as { exitStatus?: number }).exitStatus ?? 130);
  if (failedCount(totals) > 0) throw new ExitStatusError(7);
}

/** Runs a batch as the command line wants it; `goOn` is the command that takes it up again. */
export async function runBatchCommand(
  context: Context,
  options: BatchCommandOptions,
  goOn: string,
): Promise<void> {
  const source = options.input === null ? context.stdin() : await openSource(options.input);
  try {
    await withExtractor(context, configOf(options), (extractor) =>
      options.dryRun
        ? writeEstimate(context, options, inputsOf(source, options), extractor)
        : runToOutput(context, options, source, extractor, goOn),
    );
  } finally {
    await source.close();
  }
}
