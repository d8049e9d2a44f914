import { randomInt } from 'node:crypto';
import type { Mail } from '../mail/mailer.js';

export const linkMs = 15 * 60_000;
/** Wrong codes after which only the link works. */
export const maxCodeTries = 5;
/** Newest mails of a browser whose codes work. A guess is checked against each. */
export const maxLiveCodes = 3;

export const newCode = () => String(randomInt(1_000_000)).padStart(6, '0');

/** Returns a typed code without the space that the mail shows in it. */
export const typedCode = (text: string) => text.replaceAll(/[\s-]/g, '');

/** Returns the mail with a sign-in link and code. Independent of whether the recipient has an account. */
export function signInMail(to: string, link: string, code: string): Mail {
  const { host } = new URL(link);
  return {
    to,
    link,
    subject: `Sign in to ${host}`,
    text: `To sign in to ${host}, open this link in any browser and press the button:

${link}

Or enter this code in the browser where you requested it:

${code.slice(0, 3)} ${code.slice(3)}

The link and the code work once, for 15 minutes. Your first sign-in creates your account.

If you did not request this e-mail, ignore it and do not share the code.
`,
  };
}
