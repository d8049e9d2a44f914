import { ExtractError } from '../../../../lib/errors/extract-error.js';
import { type KeyedDigest, newToken, tokenDigest } from '../digests.js';
import { emailAddress, isDisposable } from '../email-address.js';
import type { Mail } from '../mail/mailer.js';
import { type LinkRequest, type SignInOptions, signInPath } from './sign-in.js';
import { newCode, signInMail } from './sign-in-mail.js';

/** A link that was mailed, as a store keeps it. */
export interface LinkRow {
  /** Digest of the secret of the browser that asked for it. */
  readonly browser: Buffer;
  /** Digest of the mail's code. */
  readonly code: Buffer;
  readonly email: string;
  readonly next: string;
}

/** The digest of a code: it could be guessed from a plain one, and is worth nothing to another browser. */
export function codeDigest(digest: KeyedDigest, code: string, browser: Buffer): Buffer {
  return digest('sign-in code', `${code}\0${browser.toString('base64url')}`);
}

interface NewLink {
  /** Digest of the link's token. */
  readonly digest: Buffer;
  readonly link: LinkRow;
  /** Secret for the cookie of the browser that asked. */
  readonly browser: string;
  readonly mail: Mail;
}

/** Makes a link and its mail. Rejects `invalid_parameter` for what is no address, and `disposable_email`. */
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
