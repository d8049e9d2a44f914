import type { BackoffPeriod } from '../../../../lib/batch/backoff.js';
import type { Platform } from '../../../../lib/platforms.js';
import { failedCount, type Totals } from '../../../files/batch-files/totals.js';
import { limits } from '../../../output/coverage-text.js';
import { duration } from '../../../output/duration.js';
import { integerText, quantity } from '../../../output/number-text.js';

export interface BatchProgress {
  readonly platform: Platform;
  readonly totals: Totals;
  /** Total bytes of the input, if known. */
  readonly size: number | undefined;
  /** Total number of inputs, once counted. */
  readonly total: number | undefined;
  readonly elapsed: number;
  /** Inputs that were final before this run. */
  readonly before: number;
  readonly rest: BackoffPeriod | undefined;
  /** Browser visits: in progress, and since the start. */
  readonly visits: { readonly open: number; readonly started: number };
  /** True while requests in progress finish after a request to stop. */
  readonly stopping: boolean;
  /** Returns the milliseconds that the inputs take at the platform's pace; undefined if unknown. */
  readonly paceOf: ((inputs: number) => number) | undefined;
  /** Whether to mention credits, which only accounts of a server have. */
  readonly tellsCredits: boolean;
  /** What inputs without a line lack; "news" by default. */
  readonly without?: string | undefined;
  /** Credits spent before the first input, for example on a look-up; 0 by default. */
  readonly spentBefore?: number | undefined;
}

export interface ProgressDisplay {
  end(): Promise<void>;
}

export function rateOf({ totals, before, elapsed }: BatchProgress): number {
  return elapsed <= 0 ? 0 : ((totals.inputs - before) * 1000) / elapsed;
}

/** Returns the share of the input that is done, from 0 to 1; undefined if its size is unknown. */
export function shareOf({ totals, size, total }: BatchProgress): number | undefined {
  if (total !== undefined && total > 0) return Math.min(1, totals.inputs / total);
  return size === undefined || size === 0 ? undefined : Math.min(1, totals.read / size);
}

/** Number of inputs after which the measured rate and the pace have equal weight. */
const learnedAfter = 16;

/** Estimates the seconds left: from the pace at first, later from the measured rate. Undefined if unknown. */
export function secondsLeft(progress: BatchProgress): number | undefined {
  const { totals, total, before, elapsed, paceOf } = progress;
  const share = shareOf(progress);
  const remaining =
    total !== undefined ? total - totals.inputs : share && totals.inputs / share - totals.inputs;
  if (remaining === undefined || (share === 0 && total === undefined)) return undefined;
  const [rate, done] = [rateOf(progress), totals.inputs - before];
  const estimate = paceOf === undefined ? undefined : paceOf(remaining) / 1000;
  if (rate === 0)
    return estimate === undefined ? undefined : Math.round(Math.max(0, estimate - elapsed / 1000));
  const measured = remaining / rate;
  const weight = done / (done + learnedAfter);
  return Math.round(estimate === undefined ? measured : weight * measured + (1 - weight) * estimate);
}

/** Returns “105 of 300 inputs”, or “105 inputs” if the total is unknown. */
export function amountText({ totals, total }: Pick<BatchProgress, 'totals' | 'total'>): string {
  if (total === undefined || total < totals.inputs) return quantity(totals.inputs, 'input');
  return `${integerText(totals.inputs)} of ${quantity(total, 'input')}`;
}

/** “place_not_found” → “place not found” */
const codeWords = (code: string) => code.replaceAll('_', ' ');

/** “9,990 answered, 10 failed (8 place not found, 2 platform timeout)” */
export function countsText(totals: Totals, without = 'news'): string {
  const failed = failedCount(totals);
  const codes = Object.entries(totals.failed)
    .sort(([, a], [, b]) => b - a)
    .map(([code, count]) => `${integerText(count)} ${codeWords(code)}`);
  const parts = totals.parts === 0 ? '' : `, ${integerText(totals.parts)} of them partial`;
  const withoutText =
    totals.withoutNews === 0 ? '' : ` (${integerText(totals.withoutNews)} without ${without})`;
  const answered = `${integerText(totals.ok)} answered${withoutText}${parts}`;
  if (failed === 0) return answered;
  const partlyRead = totals.begun === 0 ? '' : `, ${integerText(totals.begun)} of them with earlier pages`;
  return `${answered}, ${integerText(failed)} failed (${codes.join(', ')})${partlyRead}`;
}

/** “29,970 credits spent, 30 given back” */
export function creditsText({ charged, givenBack }: Totals): string {
  return `${quantity(charged, 'credit')} spent${givenBack === 0 ? '' : `, ${integerText(givenBack)} refunded`}`;
}

/** Minimum seconds for which the start of a batch announces its duration. */
const longRun = 10;

/** Returns “200 inputs: about 5 min.” for runs without a view. Empty if the run is short or its duration unknown. */
export function startText({ total, before, paceOf }: BatchProgress): string {
  if (total === undefined || paceOf === undefined) return '';
  const remaining = total - before;
  const seconds = paceOf(remaining) / 1000;
  if (seconds < longRun) return '';
  const inputs =
    before === 0
      ? quantity(remaining, 'input')
      : `${integerText(remaining)} of ${integerText(total)} inputs left`;
  return `${inputs}: about ${duration(seconds)}.\n`;
}

/** Summarises a batch in one line, with what its answers lack. */
export function summaryText(progress: BatchProgress): string {
  const { platform, totals, elapsed, tellsCredits, without, spentBefore = 0 } = progress;
  const charged = totals.charged + spentBefore;
  const credits = tellsCredits ? ` ${creditsText({ ...totals, charged })}.` : '';
  const counts = `${amountText(progress)} in ${duration(elapsed / 1000)}: ${countsText(totals, without)}.${credits}`;
  return [counts, ...limits(platform, totals)].join(' ');
}

export function restText({ error, until }: BackoffPeriod, now: number): string {
  const moment = new Date(until).toISOString().replace(/\.\d+Z$/, 'Z');
  const remainingText = duration(Math.max(0, Math.ceil((until - now) / 1000)));
  return `Waiting ${remainingText}, until ${moment}: ${codeWords(error.code)}. The batch then continues automatically.`;
}

/** “A browser is running: 2 visits now, 31 in all.” */
export function visitsText({ visits: { open, started } }: BatchProgress): string {
  return `A browser is running: ${quantity(open, 'visit')} now, ${integerText(started)} in all.`;
}
