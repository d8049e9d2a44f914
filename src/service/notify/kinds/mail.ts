import type { Mail } from '../../accounts/mail/mailer.js';
import type { Digest } from '../digest.js';
import { plainText } from './plain-text.js';

const maxCharacters = 100_000;

/** Formats a digest as a mail to one person. */
export function noticeMail(to: string, digest: Digest): Mail {
  return {
    to,
    subject: digest.headline,
    text: `${digest.headline}\n\n${plainText(digest, maxCharacters)}\n`,
  };
}
