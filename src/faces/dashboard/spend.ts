import type { DaySpend } from '../../../lib/ledger/call-row.js';
import type { UsageQueries } from '../../service/usage/usage-queries.js';
import { dayAfter, daysBetween, distance, startOfDay } from './days.js';

/** Bars that can be distinguished on a phone; longer ranges use weeks instead of days. */
const maxBars = 100;
const week = 7;

export interface Spend {
  readonly first: string;
  readonly last: string;
  readonly rows: readonly DaySpend[];
  readonly total: Sum;
  /** The range in steps of a day or a week, including empty ones, each by its first day. */
  readonly step: 'day' | 'week';
  readonly bySteps: readonly SpendStep[];
  /** Endpoints that charts distinguish; all others are one series. */
  readonly series: readonly string[];
  /** Endpoints that were called, most expensive first. */
  readonly byEndpoint: readonly (Sum & { readonly endpoint: string })[];
}

export interface SpendStep extends Sum {
  readonly day: string;
  /** Credits of each series, in order, with all other endpoints last. */
  readonly credits_by_series: readonly number[];
}

/** Series of a chart besides that of all other endpoints; more colours cannot be distinguished. */
const maxSeries = 5;

interface Sum {
  readonly calls: number;
  readonly failed: number;
  readonly credits: number;
}

const zero: Sum = { calls: 0, failed: 0, credits: 0 };

type RunningSum = { -readonly [Field in keyof Sum]: Sum[Field] };

/** Mutates, because a year of an account has thousands of rows. */
function add(sum: RunningSum, { calls, failed, credits }: Sum): void {
  sum.calls += calls;
  sum.failed += failed;
  sum.credits += credits;
}

function sumsBy(rows: readonly DaySpend[], keyOf: (row: DaySpend) => string): ReadonlyMap<string, Sum> {
  const sums = new Map<string, RunningSum>();
  for (const row of rows) {
    const key = keyOf(row);
    const sum = sums.get(key) ?? { ...zero };
    add(sum, row);
    sums.set(key, sum);
  }
  return sums;
}

function totalOf(rows: readonly DaySpend[]): Sum {
  const total: RunningSum = { ...zero };
  for (const row of rows) add(total, row);
  return total;
}

/** Returns the spending of an account from one day to another, inclusive. */
export async function spendOf(
  usage: Pick<UsageQueries, 'sumByDay'>,
  account: string,
  first: string,
  last: string,
): Promise<Spend> {
  const rows = await usage.sumByDay(account, startOfDay(first) ?? 0, startOfDay(dayAfter(last)) ?? 0);
  const step = distance(first, last) < maxBars ? 1 : week;
  const begins = new Map<string, string>();
  const beginOf = (day: string) => {
    const begin = begins.get(day) ?? dayAfter(first, Math.floor(distance(first, day) / step) * step);
    begins.set(day, begin);
    return begin;
  };
  const steps = sumsBy(rows, ({ day }) => beginOf(day));
  const byEndpoint = [...sumsBy(rows, ({ endpoint }) => endpoint)]
    .map(([endpoint, sum]) => ({ endpoint, ...sum }))
    .sort((a, b) => b.credits - a.credits || b.calls - a.calls || (a.endpoint < b.endpoint ? -1 : 1));
  const charged = byEndpoint.filter(({ credits }) => credits > 0).map(({ endpoint }) => endpoint);
  // A series of a single endpoint keeps that endpoint's name.
  const series = charged.slice(0, charged.length === maxSeries + 1 ? maxSeries + 1 : maxSeries);
  const parts = new Map<string, number[]>();
  for (const { day, endpoint, credits } of rows) {
    const begin = beginOf(day);
    const part = parts.get(begin) ?? Array.from({ length: series.length + 1 }, () => 0);
    const at = series.indexOf(endpoint);
    const index = at === -1 ? series.length : at;
    part[index] = (part[index] ?? 0) + credits;
    parts.set(begin, part);
  }
  return {
    ...{ first, last, rows, series, byEndpoint },
    total: totalOf(rows),
    step: step === 1 ? 'day' : 'week',
    bySteps: daysBetween(first, last, step).map((day) => ({
      ...{ day, credits_by_series: parts.get(day) ?? [] },
      ...(steps.get(day) ?? zero),
    })),
  };
}
