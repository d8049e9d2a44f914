import * as z from 'zod';
import { ExtractError } from '../../../../lib/errors/extract-error.js';
import { maxEmailLength } from '../email-address.js';
import type { Mail } from './mailer.js';

// Without line breaks and commas, a mail has one recipient and no injected headers.
const form = z.object({
  to: z.email().max(maxEmailLength),
  subject: z
    .string()
    .min(1)
    .max(200)
    .regex(/^\P{Cc}*$/u),
});

/** Returns the mail if its values are valid headers. Throws `internal_error`. */
export function checkedMail(mail: Mail): Mail {
  if (form.safeParse(mail).success) return mail;
  throw new ExtractError('internal_error', 'The e-mail has an invalid address or subject.');
}
