import type { DaySpend } from '../../../lib/ledger/call-row.js';
import type { UsageQueries } from '../../service/usage/ledger-usage.js';
import { dayAfter, daysBetween, startOfDay } from './days.js';

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

/** Series of a chart, without the series of all other endpoints. More colours cannot be distinguished. */
const maxSeries = 5;

interface Sum {
  readonly calls: number;
  readonly failed: number;
  readonly credits: number;
}

/** Mutates its sum, because a year of an account has thousands of rows. */
function sumOf(rows: readonly Sum[]): Sum {
  const sum = { calls: 0, failed: 0, credits: 0 };
  for (const { calls, failed, credits } of rows) {
    sum.calls += calls;
    sum.failed += failed;
    sum.credits += credits;
  }
  return sum;
}

/** Returns the spending of an account from one day to another, inclusive. */
export async function spendOf(
  usage: Pick<UsageQueries, 'sumByDay'>,
  account: string,
  first: string,
  last: string,
): Promise<Spend> {
  const rows = await usage.sumByDay(account, startOfDay(first) ?? 0, startOfDay(dayAfter(last)) ?? 0);
  const days = daysBetween(first, last);
  const length = days.length <= maxBars ? 1 : week;
  const starts = new Map(days.map((day, at) => [day, days[at - (at % length)]]));
  const byStart = Map.groupBy(rows, ({ day }) => starts.get(day));
  const byEndpoint = [...Map.groupBy(rows, ({ endpoint }) => endpoint)]
    .map(([endpoint, ofEndpoint]) => ({ endpoint, ...sumOf(ofEndpoint) }))
    .sort((a, b) => b.credits - a.credits || b.calls - a.calls || (a.endpoint < b.endpoint ? -1 : 1));
  const charged = byEndpoint.filter(({ credits }) => credits > 0).map(({ endpoint }) => endpoint);
  // A series of a single endpoint keeps that endpoint's name.
  const series = charged.slice(0, charged.length === maxSeries + 1 ? maxSeries + 1 : maxSeries);
  const stepFrom = (day: string): SpendStep => {
    const ofStep = byStart.get(day) ?? [];
    const bySeries = series.map((name) => sumOf(ofStep.filter(({ endpoint }) => endpoint === name)).credits);
    const sum = sumOf(ofStep);
    const others = sum.credits - bySeries.reduce((all, credits) => all + credits, 0);
    return { day, ...sum, credits_by_series: [...bySeries, others] };
  };
  return {
    ...{ first, last, rows, series, byEndpoint },
    total: sumOf(rows),
    step: length === 1 ? 'day' : 'week',
    bySteps: days.filter((_, at) => at % length === 0).map(stepFrom),
  };
}
