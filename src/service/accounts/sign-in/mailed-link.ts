import { ExtractError } from '../../../../lib/errors/extract-error.js';
import { type KeyedDigest, newToken, tokenDigest } from '../digests.js';
import { emailAddress, isDisposable } from '../email-address.js';
import type { Mail } from '../mail/mailer.js';
import { type LinkRequest, type SignInOptions, signInPath } from './sign-in.js';
import { newCode, signInMail } from './sign-in-mail.js';

export interface LinkRow {
  /** Digest of the secret of the browser that requested it. */
  readonly browser: Buffer;
  readonly code: Buffer;
  readonly email: string;
  readonly next: string;
}

/** Returns the keyed digest of a code, tied to its browser. A plain digest could be reversed by guessing. */
export function codeDigest(digest: KeyedDigest, code: string, browser: Buffer): Buffer {
  return digest('sign-in code', `${code}\0${browser.toString('base64url')}`);
}

interface NewLink {
  readonly digest: Buffer;
  readonly link: LinkRow;
  /** The secret for the requesting browser's cookie. */
  readonly browser: string;
  readonly mail: Mail;
}

/** Creates a link and its mail. Rejects `invalid_parameter` for an invalid address, and `disposable_email`. */
export async function makeLink(
  { email, next, browser: earlier }: LinkRequest,
  { publicUrl, emailAllow, digest }: SignInOptions & { readonly digest: KeyedDigest },
): Promise<NewLink> {
  const to = emailAddress(email);
  if (await isDisposable(to, emailAllow)) throw new ExtractError('disposable_email');
  const browser = earlier !== undefined && tokenDigest(earlier) !== null ? earlier : newToken();
  const holder = tokenDigest(browser) as Buffer;
  const [token, code] = [newToken(), newCode()];
  return {
    digest: tokenDigest(token) as Buffer,
    link: { browser: holder, code: codeDigest(digest, code, holder), email: to, next },
    browser,
    mail: signInMail(to, `${publicUrl}${signInPath}?token=${token}`, code),
  };
}
