import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { ulid } from 'ulid';
import { digest } from '../../../../lib/call/cursor.js';
import { inputsPrice } from '../../../../lib/call/price.js';
import type { Config } from '../../../../lib/config.js';
import { ExtractError } from '../../../../lib/errors/extract-error.js';
import { type Clock, systemClock } from '../../../../lib/runtime/clock.js';
import { lockFile } from '../../../../lib/runtime/file-lock.js';
import { readWebhookSecret } from '../../../config/program-config.js';
import type { BatchOutcome } from '../../../files/batch-files/batch-run.js';
import { removeLines } from '../../../files/batch-files/result-output.js';
import { failedCount, noTotals } from '../../../files/batch-files/totals.js';
import { Watch, type WatchResult } from '../../../files/watch/watch.js';
import type { WatchDelivery, WatchRun } from '../../../files/watch/watch-store.js';
import { duration } from '../../../output/duration.js';
import { integerText, quantity } from '../../../output/number-text.js';
import { countRuns, type Timetable } from '../../../service/schedule/timetable.js';
import type { BatchCommandOptions } from '../batch/batch-options.js';
import { countInputs } from '../batch/count-inputs.js';
import { runBatchCommand } from '../batch/run.js';
import { type Context, configOf } from '../context.js';
import { ExitStatusError } from '../exit-status-error.js';
import { printable } from '../printable.js';
import { fileOfRun, outputOfRun, removeEmptyOutput } from './run-output.js';
import { openWatchWebhook } from './webhook.js';

export interface WatchCommandOptions {
  readonly batch: WatchedBatch;
  /** Null for `--once`. */
  readonly timetable: Timetable | null;
  readonly webhook: string | undefined;
}

const month = 30 * 24 * 3_600_000;

/** The batch of a watch, whose inputs are a file. */
export type WatchedBatch = BatchCommandOptions & { readonly input: string };

/** Returns the identity of a watch: what it reads, writes and reports, but not how it runs. */
export function watchId({ batch, webhook }: Pick<WatchCommandOptions, 'batch' | 'webhook'>): string {
  const { endpoint, input, output, inputFormat, map, outputFormat, append, csv, sources, steps } = batch;
  const { savePages, all, flatten, set, defaults } = batch;
  // The order is fixed: watches of earlier versions have this identity.
  const options = {
    ...{
      inputFormat,
      map,
      outputFormat,
      append,
      csv,
      sources,
      steps,
      savePages,
      all,
      flatten,
      set,
      defaults,
    },
  };
  const files = [path.resolve(input), output === null ? null : path.resolve(output)];
  return digest([JSON.stringify([endpoint.path, files, options, webhook ?? null])]);
}

/** Runs one batch. Reports an error that may pass, and the watch continues. */
async function runOnce(
  context: Context,
  { batch }: WatchCommandOptions,
  { at, output }: WatchRun,
): Promise<WatchResult & { readonly status: number }> {
  const { archive } = batch.steps;
  let ended: BatchOutcome | undefined;
  let error: unknown = null;
  try {
    await runBatchCommand(
      context,
      {
        ...{ ...batch, output, mode: output === null ? 'begin' : 'resume' },
        // Each run has its own archive.
        steps:
          typeof archive === 'string' ? { ...batch.steps, archive: fileOfRun(archive, at) } : batch.steps,
      },
      {
        resumeHint: null,
        onEnded(outcome) {
          ended = outcome;
        },
      },
    );
  } catch (cause) {
    error = cause;
  }
  const { finished = false, totals = noTotals } = ended ?? {};
  const catalogueError = error instanceof ExtractError ? error : null;
  const hasEnded = error === null || (error instanceof ExitStatusError && finished);
  // An error that would recur, a closed output and Ctrl-C end the watch.
  const mayPass = catalogueError !== null && catalogueError.type !== 'invalid_request';
  if (!hasEnded && (!mayPass || context.signal.aborted)) throw error;
  if (catalogueError !== null)
    await context.stderr.write(`${catalogueError.code}: ${printable(catalogueError.message)}\n`);
  if (batch.append && finished && output !== null) await removeLines(output);
  const isEmpty = finished && output !== null && !batch.append && (await removeEmptyOutput(output, totals));
  // The object contains it; only a database is appended to.
  if (!batch.append && finished && output !== null) await batch.bucket?.forget(output);
  const outputName = output === null ? null : (batch.bucket?.addressOf(output) ?? path.resolve(output));
  return {
    finished,
    status: error instanceof ExitStatusError ? error.exitStatus : 0,
    report: {
      endpoint: batch.endpoint.path,
      started_at: new Date(at).toISOString(),
      finished,
      inputs: totals.inputs,
      answered: totals.ok,
      without_news: totals.withoutNews,
      parts: totals.parts,
      failed: failedCount(totals),
      credits_spent: totals.charged,
      output: isEmpty ? null : outputName,
      error: catalogueError === null ? null : { code: catalogueError.code, message: catalogueError.message },
    },
  };
}

const dayText = new Intl.DateTimeFormat('en-GB', {
  ...{ weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' },
});

/** “Mon 30 Nov 05:30 UTC” */
function momentText(at: number): string {
  const time = new Date(at).toISOString().slice(11, 16);
  return `${dayText.format(at).replace(',', '')} ${time} UTC`;
}

/** Announces the next run and the total cost, in credits for an account on a server. */
async function nextText(
  { batch, timetable }: WatchCommandOptions,
  { baseUrl }: Pick<Config, 'baseUrl'>,
  at: number,
  now: number,
): Promise<string> {
  const when = `Next run ${momentText(at)}, in ${duration(Math.ceil((at - now) / 1000))}`;
  const inputs = await countInputs(batch, () => false);
  if (inputs === undefined || timetable === null) return `${when}.`;
  const price = batch.defaults.demo === true ? 0 : inputsPrice(batch.endpoint, inputs);
  const credits = (runs: number) =>
    baseUrl === undefined ? '' : `, about ${integerText(runs * price)} credits`;
  const runs = countRuns(timetable, at, now, now + month);
  return `${when}: ${quantity(inputs, 'input')}${credits(1)}. In 30 days: ${quantity(runs, 'run')}${credits(runs)}.`;
}

/** Advises on runs that are closer together than answers expire; null otherwise. */
function cacheText({ batch, timetable }: WatchCommandOptions, now: number): string | null {
  const { endpoint, defaults } = batch;
  if (timetable === null || defaults.fresh === true || defaults.demo === true) return null;
  const gap = timetable.next(timetable.next(now, now), now) - timetable.next(now, now);
  if (gap >= endpoint.cacheSeconds * 1000) return null;
  return `Answers of ${endpoint.path} are cached for ${duration(endpoint.cacheSeconds)}: use --fresh to fetch them for each run.`;
}

/** Runs `extract watch`. */
export async function runWatchCommand(
  context: Context,
  options: WatchCommandOptions,
  clock: Clock = systemClock,
): Promise<void> {
  const { batch, timetable, webhook } = options;
  const { stderr, signal } = context;
  const id = watchId(options);
  const config = await configOf(context);
  const folder = path.join(config.home, 'watch');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const fileLock = await lockFile(path.join(folder, `${id}.lock`));
  if (fileLock === null) {
    throw new ExtractError(
      'invalid_parameter',
      'Another process is running the same watch. Stop it first to run it here.',
    );
  }
  const { openState } = await import('../../../compose/open-state.js');
  const state = openState(config.home, clock);
  const poster = webhook === undefined ? undefined : openWatchWebhook(webhook, readWebhookSecret(), config);
  const post = async (delivery: WatchDelivery) => {
    const fault = (await poster?.post(delivery, signal)) ?? null;
    if (fault !== null) await stderr.write(`The webhook was not accepted: ${printable(fault)}\n`);
  };
  let status = 0;
  const hint = cacheText(options, clock.now());
  if (hint !== null && !batch.quiet) await stderr.write(`${hint}\n`);
  try {
    await new Watch({
      id,
      store: state.watches,
      timetable,
      clock,
      signal,
      // Every run appends to a database; any other file belongs to one run.
      outputOf: async (at) =>
        batch.output === null || batch.append ? batch.output : outputOfRun(batch.output, at),
      newDeliveryId: () => `whd_${ulid()}`,
      async run(run, isTakenUp) {
        if (isTakenUp && !batch.quiet) {
          await stderr.write(`Resuming the run of ${new Date(run.at).toISOString()}.\n`);
        }
        const result = await runOnce(context, options, run);
        status = result.finished ? result.status : 5;
        return result;
      },
      async onNext(at) {
        if (!batch.quiet) await stderr.write(`${await nextText(options, config, at, clock.now())}\n`);
      },
      deliver: poster === undefined ? undefined : post,
    }).start();
  } finally {
    await poster?.close();
    await state.close();
    fileLock.remove();
  }
  if (signal.aborted) throw signal.reason;
  if (status !== 0) throw new ExitStatusError(status);
}
