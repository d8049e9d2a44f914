import * as z from 'zod';
import { ExtractError } from '../../../lib/errors/extract-error.js';

/** Characters of an e-mail address at most. */
export const maxEmailLength = 254;

const form = z.email().max(maxEmailLength);

/** An address as accounts store it: in lower case, without space around it. Throws `invalid_parameter`. */
export function emailAddress(text: string): string {
  const result = form.safeParse(text.trim().toLowerCase());
  if (!result.success) throw new ExtractError('invalid_parameter', 'This is not an e-mail address.');
  return result.data;
}

/**
 * True for an address of a disposable mail service, or of a domain below one. The list of such services is loaded with
 * the first sign-in. It is the largest thing of all that a server loads.
 */
export async function isDisposable(email: string, allowed: readonly string[]): Promise<boolean> {
  const { default: mailchecker } = await import('mailchecker');
  const listed = mailchecker.blacklist();
  const labels = email.slice(email.lastIndexOf('@') + 1).split('.');
  const domains = labels.map((_, at) => labels.slice(at).join('.'));
  return domains.some((domain) => listed.has(domain)) && !domains.some((domain) => allowed.includes(domain));
}
