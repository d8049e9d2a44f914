import { ExtractError } from '../../../../lib/errors/extract-error.js';
import type { KeyedDigest } from '../digests.js';
import { networkOf } from './network-of.js';

export const countedMs = 3_600_000;
/** Maximum mails per hour to one address from one network, and from one network in total. */
export const maxToAddress = 5;
export const maxFromNetwork = 20;
/**
 * Maximum mails per hour to one address from everywhere. Beyond it, an address gets another only if none of its links
 * works.
 */
export const maxFromEverywhere = 6;

/** Returns the digests under which a mail is counted: address and network, network, and address. */
export function countedAs(digest: KeyedDigest, email: string, address: string) {
  const network = networkOf(address);
  return {
    to: digest('mail to from', `${email}\0${network}`),
    from: digest('mail from', network),
    toAddress: digest('mail to', email),
  };
}

/** Returns when a mail sent at a time no longer counts; 0 for none. */
export const endOfHour = (at: number | undefined) => (at === undefined ? 0 : at + countedMs);

export function checkMailTime(free: number, now: number): void {
  const wait = Math.ceil((free - now) / 1000);
  if (wait <= 0) return;
  const minutes = Math.ceil(wait / 60);
  throw new ExtractError(
    'rate_limited',
    `Too many sign-in e-mails were requested. Use the newest one, or try again in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.`,
    { retryAfter: wait, next: '' },
  );
}
