import { hash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** The prefix of every key, by which people and secret scanners recognise it. */
export const keyPrefix = 'xt_live_';

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const randomLength = 34;
const checksumLength = 6;
const form = new RegExp(`^${keyPrefix}[${digits}]{${randomLength + checksumLength}}$`);

/** CRC-32 of the rest of the key in base 62. Detects typing errors offline. */
function checksum(text: string): string {
  let remainder = crc32(text);
  let sum = '';
  for (let index = 0; index < checksumLength; index += 1) {
    sum = digits.charAt(remainder % digits.length) + sum;
    remainder = Math.floor(remainder / digits.length);
  }
  return sum;
}

/** Returns a new key with 202 random bits. */
export function newSecret(): string {
  let text = keyPrefix;
  for (let index = 0; index < randomLength; index += 1) text += digits.charAt(randomInt(digits.length));
  return text + checksum(text);
}

/** Returns true for text in the form of a key with a correct checksum. */
export function isSecret(text: string): boolean {
  return form.test(text) && checksum(text.slice(0, -checksumLength)) === text.slice(-checksumLength);
}

/** Returns the digest under which a key is stored. A plain hash suffices, because 202 random bits cannot be guessed. */
export function digestOf(secret: string): Buffer {
  return digestBytes(digestText(secret));
}

/**
 * Returns the digest as text, one character per byte: every call looks it up, and a Buffer would cost twice as much.
 */
export function digestText(secret: string): string {
  return hash('sha256', secret, 'binary');
}

export function digestBytes(text: string): Buffer {
  return Buffer.from(text, 'latin1');
}
