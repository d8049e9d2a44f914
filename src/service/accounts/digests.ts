import { createHash, createHmac, randomBytes } from 'node:crypto';

const bytes = 32;
const form = /^[\w-]{43}$/;

/** Returns a secret for a link or a cookie: 256 random bits. */
export function newToken(): string {
  return randomBytes(bytes).toString('base64url');
}

/**
 * Returns the digest stored for a token, or null for text that is not a token. A token cannot be guessed, so a plain
 * hash suffices. The timing of a lookup by digest reveals nothing about the token.
 */
export function tokenDigest(token: string): Buffer | null {
  return form.test(token) ? createHash('sha256').update(token).digest() : null;
}

/**
 * Identifies something guessable (an e-mail or network address) without storing it: a digest that requires this data
 * directory's secret. `purpose` separates the digests of different tables.
 */
export type KeyedDigest = (purpose: string, text: string) => Buffer;

export function keyedDigest(secret: Uint8Array): KeyedDigest {
  return (purpose, text) => createHmac('sha256', secret).update(`${purpose}\0${text}`).digest();
}
