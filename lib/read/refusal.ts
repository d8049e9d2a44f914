import { ExtractError } from '../errors/extract-error.js';
import { outcomes, refusal } from '../errors/outcomes.js';
import type { Page } from '../web/page-source.js';

/**
 * Throws the refusals that all platforms word alike, by status: 403 and 451 blocked or restricted, 429 rate limited,
 * 5xx unavailable. A platform's `outcome.ts` calls it after its own checks.
 */
export function refuseByStatus(page: Page): void {
  const { status } = page;
  if (status === 429) {
    const seconds = page.headers['retry-after'];
    throw new ExtractError(
      outcomes.slow_down.code,
      undefined,
      seconds === undefined ? {} : { retryAfter: Number(seconds) },
    );
  }
  if (status === 403 || status === 401) {
    // May concern this subject alone.
    throw new ExtractError(outcomes.challenge.code, `The platform returned HTTP ${status} and no page.`);
  }
  if (status === 451) throw new ExtractError('platform_restricted');
  if (status >= 500) {
    throw refusal('error_page', `The platform returned HTTP ${status} (server error).`);
  }
}

/** Returns true for an answer without visible bytes; blanks are not visible. */
export const isEmpty = (page: Page): boolean => page.body.byteLength < 100 && page.text().trim() === '';

/** Returns a required value. If a converter found none, throws `platform_changed`, naming what is missing. */
export function requireValue<T>(value: T | null | undefined, what: string): T {
  if (value === null || value === undefined) {
    throw new ExtractError('platform_changed', `The page lacks ${what}.`);
  }
  return value;
}
