import { ExtractError } from '../errors/extract-error.js';

/** What a body larger than the site's bound ends in, wherever it comes from. */
export function bodyTooLarge(maxBytes: number): ExtractError {
  return new ExtractError('platform_changed', `The page is larger than ${maxBytes} bytes and was not read.`);
}
