import { ExtractError } from '../errors/extract-error.js';

/** A key that is charged for a call, with what its owner lets it spend. */
export interface ChargedKey {
  /** Its id. */
  readonly id: string;
  /** The name that its owner gave it. */
  readonly name: string;
  /** Credits that it may be charged in a calendar month (UTC). Null or left out for a key without a limit. */
  readonly monthlyCredits?: number | null | undefined;
}

/** The calendar month of a time in milliseconds since 1970, in UTC: `2026-11`. */
export function monthOf(at: number): string {
  if (at < lastMonth.from || at >= lastMonth.to) {
    lastMonth = { from: monthAt(at, 0), to: nextMonth(at), name: new Date(at).toISOString().slice(0, 7) };
  }
  return lastMonth.name;
}

/** The month that was asked for last: nearly every call is of the same one. */
let lastMonth = { from: 0, to: 0, name: '' };

/** When the month so many months after that of `at` begins, in milliseconds since 1970. */
function monthAt(at: number, after: number): number {
  const date = new Date(at);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + after);
}

/** When the month after that of `at` begins, in milliseconds since 1970. */
export function nextMonth(at: number): number {
  return monthAt(at, 1);
}

const number = (value: number) => value.toLocaleString('en-US');
const credits = (count: number) => (count === 1 ? '1 credit' : `${number(count)} credits`);

/** The facts of a charge that would take a key beyond its limit. */
export interface PassedLimit {
  readonly name: string;
  readonly limit: number;
  /** Credits that the key was charged this month, without this charge. */
  readonly spent: number;
  readonly price: number;
  /** Now, in milliseconds since 1970. */
  readonly at: number;
  readonly what: 'call' | 'job';
}

/** `insufficient_credits` of a key whose monthly limit leaves no room; the message says when the limit begins anew. */
export function monthlyLimitReached({ name, limit, spent, price, at, what }: PassedLimit): ExtractError {
  const anew = new Date(nextMonth(at)).toISOString().slice(0, 10);
  return new ExtractError(
    'insufficient_credits',
    `The key “${name}” may spend ${credits(limit)} a month and has spent ${number(spent)}; this ${what} costs ${number(price)}. Nothing was charged. The limit begins anew on ${anew} (UTC); the owner of the key can raise it on the dashboard, or with \`extract keys limit\`.`,
  );
}
