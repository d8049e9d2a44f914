import { ExtractError } from '../../../lib/errors/extract-error.js';

export const maxIdempotencyKeyLength = 255;

/** One line of bytes that a header can hold, each as a character. */
const headerText = /^[\x20-\x7e\x80-\xff]+$/;

/** Validates an idempotency key. Throws `invalid_parameter`, also for text that no header can hold. */
export function checkIdempotencyKey(key: unknown): string {
  const isText = typeof key === 'string' && key.trim() !== '' && headerText.test(key);
  if (isText && key.length <= maxIdempotencyKeyLength) return key;
  throw new ExtractError(
    'invalid_parameter',
    `The Idempotency-Key header must be a string of 1 to ${maxIdempotencyKeyLength} characters: unaccented letters, digits and signs.`,
  );
}

/** Parses the `Idempotency-Key` header; undefined without one. Throws `invalid_parameter`. */
export const parseIdempotencyKey = (header: unknown): string | undefined =>
  header === undefined ? undefined : checkIdempotencyKey(header);
