import { randomInt } from 'node:crypto';
import type { Mail } from '../mail/mailer.js';

/** Milliseconds for which a link works. */
export const linkMs = 15 * 60_000;
/** Wrong codes after which only the mail's link works. */
export const maxCodeTries = 5;
/** Number of a browser's newest mails whose codes work. A guess is checked against each. */
export const maxLiveCodes = 3;

/** Returns a new code: six digits. */
export const newCode = () => String(randomInt(1_000_000)).padStart(6, '0');

/** Returns a code as typed, without the space that the mail shows in it. */
export const typedCode = (text: string) => text.replaceAll(/[\s-]/g, '');

/** Returns the mail with a link and a code to sign in. It is the same whether the recipient has an account or not. */
export function signInMail(to: string, link: string, code: string): Mail {
  const { host } = new URL(link);
  return {
    to,
    link,
    subject: `Sign in to ${host}`,
    text: `To sign in to ${host}, open this link in any browser and press the button:

${link}

Or type this code in the browser where you asked for it:

${code.slice(0, 3)} ${code.slice(3)}

The link and the code work once, for fifteen minutes. Your first sign-in creates your account.
If you did not ask for this e-mail, ignore it and do not share the code: nobody can sign in with
your address without it.
`,
  };
}
