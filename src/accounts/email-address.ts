import * as z from 'zod';
import { ExtractError } from '../../lib/errors/extract-error.js';

/** Characters of an e-mail address at most. */
export const maxEmailLength = 254;

const form = z.email().max(maxEmailLength);

/** An address as accounts store it: in lower case, without space around it. Throws `invalid_parameter`. */
export function emailAddress(text: string): string {
  const result = form.safeParse(text.trim().toLowerCase());
  if (!result.success) throw new ExtractError('invalid_parameter', 'This is not an e-mail address.');
  return result.data;
}
