import { ExtractError } from '../../errors/extract-error.js';
import { textOrNull } from '../../read/convert.js';

/** Tokens are 100 (reviews) to 700 (photos) characters; one beyond this would not fit into a cursor. */
const most = 1500;

/** The platform's token of the next page; null on the last. Throws `platform_changed` for one too long. */
export function pageToken(value: unknown): string | null {
  const token = textOrNull(value);
  if (token !== null && token.length > most) {
    throw new ExtractError('platform_changed', `The token of the next page has ${token.length} characters.`);
  }
  return token;
}
