import { ExtractError } from '../../../lib/errors/extract-error.js';
import type { KeyedDigest } from '../digests.js';
import { networkOf } from './network-of.js';

/** Milliseconds in which mails and wrong codes are counted. */
export const countedMs = 3_600_000;
/** Milliseconds that the clocks of two processes may be apart. */
export const skewMs = 60_000;
/** Mails an hour to one address from one network, and from one network in all. */
export const maxToAddress = 5;
export const maxFromNetwork = 20;
/** Wrong codes an hour for one address, wherever they are typed: after that its links alone work. */
export const maxWrongCodes = 30;

/** Under which digests a mail is counted: of address and network, and of the network alone. */
export function countedAs(digest: KeyedDigest, email: string, address: string) {
  const network = networkOf(address);
  return {
    to: digest('mail to from', `${email}\0${network}`),
    from: digest('mail from', network),
  };
}

/** Under which digest the wrong codes for an address are counted. */
export const wrongCodesOf = (digest: KeyedDigest, email: string) => digest('wrong code for', email);

/**
 * Throws `rate_limited` while an hour holds too many mails. `last` are the times of those that have to leave it first;
 * undefined where there are fewer.
 */
export function checkMailTimes(last: readonly (number | undefined)[], now: number): void {
  const free = last.map((at) => (at === undefined ? now : at + countedMs));
  const wait = Math.ceil((Math.max(...free) - now) / 1000);
  if (wait <= 0) return;
  const minutes = Math.ceil(wait / 60);
  throw new ExtractError(
    'rate_limited',
    `Too many sign-in mails were asked for. Use the newest one, or ask again in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.`,
    { retryAfter: wait, next: '' },
  );
}
