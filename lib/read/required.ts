import { ExtractError } from '../errors/extract-error.js';

/**
 * A value the page must hold. Where a converter found none, the page is not what it was: `platform_changed`,
 * naming what is missing.
 */
export function required<T>(value: T | null | undefined, what: string): T {
  if (value === null || value === undefined) {
    throw new ExtractError('platform_changed', `The page came without ${what}.`);
  }
  return value;
}
