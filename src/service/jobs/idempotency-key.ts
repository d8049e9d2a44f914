import { ExtractError } from '../../../lib/errors/extract-error.js';

export const maxIdempotencyKeyLength = 255;

/** One line of the bytes that a header can hold, each as a character. */
const headerText = /^[\x20-\x7e\x80-\xff]+$/;

/**
 * Validates the key under which a job request may be repeated. Throws `invalid_parameter`, also for what no header can
 * hold.
 */
export function checkIdempotencyKey(key: unknown): string {
  const isText = typeof key === 'string' && key.trim() !== '' && headerText.test(key);
  if (isText && key.length <= maxIdempotencyKeyLength) return key;
  throw new ExtractError(
    'invalid_parameter',
    `The header Idempotency-Key must be one text of 1 to ${maxIdempotencyKeyLength} characters: unaccented letters, digits and signs.`,
  );
}

/** Parses the `Idempotency-Key` header of a request; undefined without one. Throws `invalid_parameter`. */
export const parseIdempotencyKey = (header: unknown): string | undefined =>
  header === undefined ? undefined : checkIdempotencyKey(header);
