import type { BackoffPeriod } from '../../../lib/batch/backoff.js';
import { failedCount, type Totals } from '../../batch-files/totals.js';

/** How far a batch is at one time. */
export interface BatchProgress {
  readonly totals: Totals;
  /** Bytes of the whole input, where they are known. */
  readonly size: number | undefined;
  /** Milliseconds since this run began. */
  readonly elapsed: number;
  /** Inputs that were final before this run. */
  readonly before: number;
  readonly rest: BackoffPeriod | undefined;
  /** Visits of the browser: under way, and since the start. */
  readonly visits: { readonly open: number; readonly begun: number };
  /** True after a request to stop, while calls under way finish. */
  readonly stopping: boolean;
}

/** A display of the progress, until its end. */
export interface ProgressDisplay {
  end(): Promise<void>;
}

/** Inputs a second in this run. */
export function rateOf({ totals, before, elapsed }: BatchProgress): number {
  return elapsed <= 0 ? 0 : ((totals.inputs - before) * 1000) / elapsed;
}

/** How much of the input is done, from 0 to 1; undefined where its size is not known. */
export function shareOf({ totals, size }: BatchProgress): number | undefined {
  return size === undefined || size === 0 ? undefined : Math.min(1, totals.read / size);
}

/** Seconds that are left at this rate; undefined where they cannot be known. */
export function secondsLeft(progress: BatchProgress): number | undefined {
  const share = shareOf(progress);
  const rate = rateOf(progress);
  if (share === undefined || share === 0 || rate === 0) return undefined;
  return Math.round((progress.totals.inputs / share - progress.totals.inputs) / rate);
}

/** 4_000 s → “1 h 6 min”. */
export function duration(seconds: number): string {
  if (seconds < 100) return `${Math.round(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 100 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

const number = (value: number) => value.toLocaleString('en-US');

/** “9,990 ok, 10 failed (place_not_found 8, platform_timeout 2)” */
export function countsText(totals: Totals): string {
  const failed = failedCount(totals);
  const codes = Object.entries(totals.failed)
    .sort(([, a], [, b]) => b - a)
    .map(([code, count]) => `${code} ${number(count)}`);
  return `${number(totals.ok)} ok${failed === 0 ? '' : `, ${number(failed)} failed (${codes.join(', ')})`}`;
}

/** “29,970 credits spent, 30 given back” */
export function creditsText({ charged, givenBack }: Totals): string {
  return `${number(charged)} credits spent${givenBack === 0 ? '' : `, ${number(givenBack)} given back`}`;
}

/** “A browser is at work: 2 visits now, 31 in all.” */
export function visitsText({ visits: { open, begun } }: BatchProgress): string {
  return `A browser is at work: ${open === 1 ? '1 visit' : `${open} visits`} now, ${number(begun)} in all.`;
}

/** The result of a batch, on one line. */
export function summaryText({ totals, elapsed }: BatchProgress): string {
  const inputs = totals.inputs === 1 ? '1 input' : `${number(totals.inputs)} inputs`;
  return `${inputs}: ${countsText(totals)} · ${creditsText(totals)} · ${duration(elapsed / 1000)}`;
}
