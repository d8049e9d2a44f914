import type { Mail } from '../mail/mailer.js';
import { packsPath } from '../packs/payments.js';
import type { DueAlert } from './alerts.js';

const number = (credits: number) => credits.toLocaleString('en');

/** The mail about a balance below what its owner has set. */
export function alertMail({ email, balance, threshold }: DueAlert, publicUrl: string): Mail {
  const { host } = new URL(publicUrl);
  return {
    to: email,
    subject: `Your balance at ${host} is ${number(balance)} credits`,
    text: `Your balance at ${host} is ${number(balance)} credits, which is below the ${number(threshold)} you have set.

To add credits: ${publicUrl}${packsPath}

This mail comes once. The next one comes when the balance was above ${number(threshold)} in between.
`,
  };
}
