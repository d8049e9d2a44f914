import { ExtractError } from '../../../lib/errors/extract-error.js';

export const defaultZone = 'UTC';

/** Checks a time zone and returns the system's spelling. Throws `invalid_parameter`. */
export function parseTimeZone(value: unknown): string {
  if (value === undefined || value === null) return defaultZone;
  try {
    if (typeof value !== 'string' || value.length > 64) throw new RangeError();
    return new Intl.DateTimeFormat('en', { timeZone: value }).resolvedOptions().timeZone;
  } catch {
    throw new ExtractError(
      'invalid_parameter',
      'The field timezone must be the name of a time zone, such as Europe/Berlin.',
    );
  }
}
