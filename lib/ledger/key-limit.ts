import { ExtractError } from '../errors/extract-error.js';

/** The key that a call is charged to, with its spending limit. */
export interface ChargedKey {
  /** Its id. */
  readonly id: string;
  /** The name chosen by its owner. */
  readonly name: string;
  /** Credits it may be charged in a calendar month (UTC). Null or undefined if there is no limit. */
  readonly monthlyCredits?: number | null | undefined;
}

/** `2026-11`, from milliseconds since 1970 (UTC). */
export function monthOf(at: number): string {
  if (at < lastMonth.from || at >= lastMonth.to) {
    lastMonth = { from: monthAt(at, 0), to: nextMonth(at), name: new Date(at).toISOString().slice(0, 7) };
  }
  return lastMonth.name;
}

/** The last computed month. Almost every call is in the same one. */
let lastMonth = { from: 0, to: 0, name: '' };

/** Returns the start of the month `after` months later than `at`, in milliseconds since 1970. */
function monthAt(at: number, after: number): number {
  const date = new Date(at);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + after);
}

/** Returns when the next month begins, in milliseconds since 1970. */
export function nextMonth(at: number): number {
  return monthAt(at, 1);
}

const number = (value: number) => value.toLocaleString('en-US');
const credits = (count: number) => (count === 1 ? '1 credit' : `${number(count)} credits`);

export interface PassedLimit {
  readonly name: string;
  readonly limit: number;
  /** Credits charged this month without this charge. */
  readonly spent: number;
  readonly price: number;
  /** Now, in milliseconds since 1970. */
  readonly at: number;
  readonly what: 'call' | 'job';
}

/** Creates the `insufficient_credits` error of a key at its monthly limit. The message says when the limit resets. */
export function monthlyLimitReached({ name, limit, spent, price, at, what }: PassedLimit): ExtractError {
  const resetDate = new Date(nextMonth(at)).toISOString().slice(0, 10);
  return new ExtractError(
    'insufficient_credits',
    `The key “${name}” may spend ${credits(limit)} a month and has spent ${number(spent)}; this ${what} costs ${number(price)}. Nothing was charged. The limit resets on ${resetDate} (UTC); the owner of the key can raise it on the dashboard, or with \`extract server keys limit\`.`,
  );
}
