import type { Mail } from '../mail/mailer.js';

/** The mail with a link to sign in: the same for everybody, whether they have an account or not. */
export function signInMail(to: string, link: string): Mail {
  const { host } = new URL(link);
  return {
    to,
    link,
    subject: `Sign in to ${host}`,
    text: `Open this link in the browser you asked from, to sign in to ${host}:

${link}

It works once, and for a quarter of an hour. If this is your first time, it makes your account.
If you did not ask for it, do nothing: nobody can sign in with your address without this mail.
`,
  };
}
