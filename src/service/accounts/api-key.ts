import { hash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** The prefix of every key, by which people and secret scanners recognise it. */
export const keyPrefix = 'xt_live_';

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const randomLength = 34;
const checksumLength = 6;
const form = new RegExp(`^${keyPrefix}[${digits}]{${randomLength + checksumLength}}$`);

/** CRC-32 of the rest of the key in base 62. It distinguishes a key from noise and from a typing slip, offline. */
function checksum(text: string): string {
  let remainder = crc32(text);
  let sum = '';
  for (let index = 0; index < checksumLength; index += 1) {
    sum = digits.charAt(remainder % digits.length) + sum;
    remainder = Math.floor(remainder / digits.length);
  }
  return sum;
}

/** A new secret of 202 random bits. */
export function newSecret(): string {
  let text = keyPrefix;
  for (let index = 0; index < randomLength; index += 1) text += digits.charAt(randomInt(digits.length));
  return text + checksum(text);
}

/** True for text that has the form of a key and whose checksum is right. */
export function isSecret(text: string): boolean {
  return form.test(text) && checksum(text.slice(0, -checksumLength)) === text.slice(-checksumLength);
}

/** The digest that is stored of a secret. A plain hash is enough: there is nothing to guess in 202 random bits. */
export function digestOf(secret: string): Buffer {
  return digestBytes(digestText(secret));
}

/** The digest as text, a character for each byte. Every call looks it up, and bytes would cost twice as much. */
export function digestText(secret: string): string {
  return hash('sha256', secret, 'binary');
}

/** The digest that a text of `digestText` spells. */
export function digestBytes(text: string): Buffer {
  return Buffer.from(text, 'latin1');
}
