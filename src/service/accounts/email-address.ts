import * as z from 'zod';
import { ExtractError } from '../../../lib/errors/extract-error.js';

export const maxEmailLength = 254;

const form = z.email().max(maxEmailLength);

/** Returns an address in its stored form: trimmed, lower case. Throws `invalid_parameter`. */
export function emailAddress(text: string): string {
  const result = form.safeParse(text.trim().toLowerCase());
  if (!result.success) throw new ExtractError('invalid_parameter', 'This is not an e-mail address.');
  return result.data;
}

/**
 * Returns true for a disposable mail service or one of its subdomains. The list is loaded on the first sign-in,
 * because no other module of a server is as large.
 */
export async function isDisposable(email: string, allowed: readonly string[]): Promise<boolean> {
  const { default: mailchecker } = await import('mailchecker');
  const listed = mailchecker.blacklist();
  const labels = email.slice(email.lastIndexOf('@') + 1).split('.');
  const domains = labels.map((_, at) => labels.slice(at).join('.'));
  return domains.some((domain) => listed.has(domain)) && !domains.some((domain) => allowed.includes(domain));
}
