import { InvalidArgumentError } from 'commander';
import { UsageError } from './usage-error.js';

/**
 * Parses an ISO 8601 day or time, in milliseconds since 1970; NaN for any other text. A time without a zone is UTC, as
 * in all our output.
 */
export function utcMoment(text: string): number {
  const form = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})?)?$/.exec(text);
  if (form === null) return Number.NaN;
  return Date.parse(form[1] !== undefined && form[4] === undefined ? `${text}Z` : text);
}

/** Like `utcMoment`, as text. Throws commander's error for any other text. */
export function utcTime(text: string): string {
  const time = utcMoment(text);
  if (Number.isNaN(time)) {
    throw new InvalidArgumentError('It must be a day or a time such as 2026-11-05 or 2026-11-05T14:30Z.');
  }
  return new Date(time).toISOString();
}

/** Throws a usage error for a period that ends before it begins. */
export function checkSpan({ from, to }: { readonly from?: string; readonly to?: string }): void {
  if (from === undefined || to === undefined || from < to) return;
  throw new UsageError(
    'conflicting_parameters',
    `--from ${from} must be before --to ${to}.`,
    'Swap or correct the dates.',
  );
}
