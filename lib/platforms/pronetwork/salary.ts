import { numberOrNull } from '../../read/convert.js';
import { at } from '../../read/json.js';
import type { PronetworkJob } from './objects.js';

type Salary = NonNullable<PronetworkJob['salary']>;
type Period = NonNullable<Salary['period']>;

/** Currency signs on English pages, from the Unicode locale data. */
const signs: ReadonlyMap<string, string> = new Map([
  ['$', 'USD'],
  ['US$', 'USD'],
  ['CA$', 'CAD'],
  ['A$', 'AUD'],
  ['NZ$', 'NZD'],
  ['HK$', 'HKD'],
  ['NT$', 'TWD'],
  ['MX$', 'MXN'],
  ['R$', 'BRL'],
  ['£', 'GBP'],
  ['€', 'EUR'],
  ['¥', 'JPY'],
  ['CN¥', 'CNY'],
  ['₹', 'INR'],
  ['₩', 'KRW'],
  ['₪', 'ILS'],
  ['₫', 'VND'],
  ['₱', 'PHP'],
]);

const periods: ReadonlyMap<string, Period> = new Map([
  ['hr', 'hour'],
  ['hour', 'hour'],
  ['day', 'day'],
  ['wk', 'week'],
  ['week', 'week'],
  ['mo', 'month'],
  ['month', 'month'],
  ['yr', 'year'],
  ['year', 'year'],
]);

/** "SCR 12,000.00/mo". A dot before three digits is a thousands separator in other languages, so it does not match. */
const end =
  /^([A-Z]{3}|[^\s\d.,/]{1,3})\s?(\d{1,3}(?:,\d{3})*(?:\.\d{1,2})?|\d+(?:\.\d{1,2})?)\s?([KM])?\s?(?:\/\s?([a-z]+)\.?)?$/u;

interface End {
  readonly currency: string | null;
  readonly amount: number;
  readonly period: Period | null;
}

function endOf(text: string): End | null {
  const [, sign = '', digits = '', unit, per = ''] = end.exec(text.trim()) ?? [];
  if (digits === '') return null;
  const number = Number(digits.replaceAll(',', ''));
  // Rounded to two decimals: 2.01 × 1000 is 2009.9999999999998.
  const amount = unit === undefined ? number : Math.round(number * (unit === 'K' ? 1e3 : 1e6));
  const currency = signs.get(sign) ?? (/^[A-Z]{3}$/.test(sign) ? sign : null);
  return { currency, amount, period: periods.get(per) ?? null };
}

/** A 0 means that this end of the range is not stated. */
const saidOrNull = (amount: number | null) => (amount === 0 ? null : amount);

/** Parses the ends of a range, or one amount for both. Other forms are not parsed. */
function salaryOfText(text: string): Omit<Salary, 'text'> | null {
  const parts = text.split(/\s[-–—]\s/).map(endOf);
  const [low, high = low] = parts;
  if (parts.length > 2 || !low || !high) return null;
  if (high.currency !== low.currency || low.amount > high.amount) return null;
  return {
    currency: low.currency,
    min: saidOrNull(low.amount),
    max: saidOrNull(high.amount),
    period: high.period ?? low.period,
  };
}

function salaryOfJsonLd(base: unknown): Omit<Salary, 'text'> | null {
  const value = at(base, 'value');
  const amountOf = (key: string) => saidOrNull(numberOrNull(at(value, key)));
  const amount = amountOf('value');
  const [min, max] = [amountOf('minValue') ?? amount, amountOf('maxValue') ?? amount];
  if ((min === null && max === null) || (min ?? 0) < 0 || (max ?? 0) < 0) return null;
  const currency = at(base, 'currency') ?? at(value, 'currency');
  const unit = at(value, 'unitText');
  return {
    currency: typeof currency === 'string' && /^[A-Z]{3}$/.test(currency) ? currency : null,
    min,
    max,
    period: typeof unit === 'string' ? (periods.get(unit.toLowerCase()) ?? null) : null,
  };
}

/** Returns pay as worded on the page, with the values in those words and in the page's JSON-LD (`baseSalary`). */
export function salaryOf(text: string | null, base?: unknown): Salary | null {
  if (text === null) return null;
  const salary = salaryOfJsonLd(base) ??
    salaryOfText(text) ?? { currency: null, min: null, max: null, period: null };
  return { text, ...salary };
}
