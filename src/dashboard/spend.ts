import type { DaySpend, UsageQueries } from '../usage/usage-queries.js';
import { dayAfter, daysBetween, distance, startOfDay } from './days.js';

/** Bars of a chart that can be told apart on a phone: days, and beyond so many of them weeks. */
const maxBars = 100;
const week = 7;

/** Sums over a range of days. */
export interface Spend {
  readonly first: string;
  readonly last: string;
  readonly rows: readonly DaySpend[];
  readonly total: Sum;
  /** The range in steps of a day or a week, those without a call too, each by its first day. */
  readonly step: 'day' | 'week';
  readonly bySteps: readonly (Sum & { readonly day: string })[];
  /** Endpoints that were called, the dearest first. */
  readonly byEndpoint: readonly (Sum & { readonly endpoint: string })[];
}

interface Sum {
  readonly calls: number;
  readonly failed: number;
  readonly credits: number;
}

const zero: Sum = { calls: 0, failed: 0, credits: 0 };

const add = (sum: Sum, row: Sum): Sum => ({
  calls: sum.calls + row.calls,
  failed: sum.failed + row.failed,
  credits: sum.credits + row.credits,
});

function sumsBy(rows: readonly DaySpend[], keyOf: (row: DaySpend) => string): ReadonlyMap<string, Sum> {
  const sums = new Map<string, Sum>();
  for (const row of rows) {
    const key = keyOf(row);
    sums.set(key, add(sums.get(key) ?? zero, row));
  }
  return sums;
}

/** What an account spent from one day to another, both included. */
export async function spendOf(
  usage: UsageQueries,
  account: string,
  first: string,
  last: string,
): Promise<Spend> {
  const rows = await usage.spendByDay(account, startOfDay(first) ?? 0, startOfDay(dayAfter(last)) ?? 0);
  const step = distance(first, last) < maxBars ? 1 : week;
  const beginOf = (day: string) => dayAfter(first, Math.floor(distance(first, day) / step) * step);
  const steps = sumsBy(rows, ({ day }) => beginOf(day));
  const endpoints = [...sumsBy(rows, ({ endpoint }) => endpoint)];
  return {
    first,
    last,
    rows,
    total: rows.reduce<Sum>(add, zero),
    step: step === 1 ? 'day' : 'week',
    bySteps: daysBetween(first, last, step).map((day) => ({ day, ...(steps.get(day) ?? zero) })),
    byEndpoint: endpoints
      .map(([endpoint, sum]) => ({ endpoint, ...sum }))
      .sort((a, b) => b.credits - a.credits || b.calls - a.calls || (a.endpoint < b.endpoint ? -1 : 1)),
  };
}
