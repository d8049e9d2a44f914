import type { BackoffPeriod } from '../../../../lib/batch/backoff.js';
import type { Endpoint } from '../../../../lib/endpoint.js';
import { elapsed, systemClock } from '../../../../lib/runtime/clock.js';
import type { Totals } from '../../../files/batch-files/totals.js';
import type { CommandExtractor, Context } from '../context.js';
import { paceTime } from './pace-time.js';
import { type BatchProgress, restText } from './progress.js';
import { progressKind, type ShownProgress, showProgress } from './show-progress.js';

export interface TrackedBatch extends Pick<BatchProgress, 'without' | 'spentBefore'> {
  readonly endpoint: Endpoint;
  readonly demo: boolean;
  readonly from: Totals;
  /** Total bytes of the input, if known. */
  readonly size?: number | undefined;
  /** Returns the total number of inputs, if counted. */
  total(): number | undefined;
}

/** Shows the progress of a batch until `end`. Returns it, and the callbacks that update it. */
export async function trackBatch(
  context: Context,
  extractor: CommandExtractor,
  progressOptions: ShownProgress,
  { endpoint, demo, from, size, total, without, spentBefore }: TrackedBatch,
) {
  const { stderr, signal } = context;
  const clock = systemClock;
  const began = elapsed(clock);
  const isPaced = !demo && extractor.config.baseUrl === undefined;
  const refusedLately = isPaced ? await extractor.refusedLately(endpoint) : [];
  const paceOf = isPaced
    ? (inputs: number) => paceTime(endpoint, extractor.config, inputs, refusedLately)?.expected ?? 0
    : undefined;
  let totals = from;
  let period: BackoffPeriod | undefined;
  const current = (): BatchProgress => ({
    platform: endpoint.platform,
    totals,
    size,
    total: total(),
    elapsed: elapsed(clock) - began,
    before: from.inputs,
    rest: period !== undefined && period.until > clock.now() ? period : undefined,
    visits: extractor.browserVisits(),
    stopping: signal.aborted,
    paceOf,
    tellsCredits: extractor.config.baseUrl !== undefined,
    without,
    spentBefore,
  });
  const kind = progressKind(context, progressOptions);
  const display = await showProgress(context, kind, progressOptions, current);
  return {
    kind,
    current,
    onLine(newTotals: Totals) {
      totals = newTotals;
    },
    onBackoff(newPeriod: BackoffPeriod) {
      period = newPeriod;
      if (kind === 'lines') stderr.write(`${restText(newPeriod, clock.now())}\n`).catch(() => undefined);
    },
    end: () => display.end(),
  };
}
