import * as z from 'zod';
import { ExtractError } from '../../../../lib/errors/extract-error.js';
import { maxEmailLength } from '../email-address.js';
import type { Mail } from './mailer.js';

// The form of an address has neither line ends nor commas in it: one mail, one person, no further headers.
const form = z.object({
  to: z.email().max(maxEmailLength),
  subject: z
    .string()
    .min(1)
    .max(200)
    .regex(/^\P{Cc}*$/u),
});

/** The mail, when its headers can hold what they are given. Throws `internal_error`. */
export function checkedMail(mail: Mail): Mail {
  if (form.safeParse(mail).success) return mail;
  throw new ExtractError('internal_error', 'The e-mail has an address or a subject that cannot be one.');
}
