import { createHash, createHmac, randomBytes } from 'node:crypto';

const bytes = 32;
const form = /^[\w-]{43}$/;

/** Returns a secret for a link or cookie: 256 random bits. */
export function newToken(): string {
  return randomBytes(bytes).toString('base64url');
}

/**
 * Returns the digest under which a token is stored; null for text that is no token. A plain hash suffices, because a
 * token cannot be guessed. The timing of a lookup by digest reveals nothing about it.
 */
export function tokenDigest(token: string): Buffer | null {
  return form.test(token) ? createHash('sha256').update(token).digest() : null;
}

/**
 * Identifies something guessable (an e-mail or network address) without storing it: a digest keyed by this data
 * directory's secret. `purpose` separates the digests of different tables.
 */
export type KeyedDigest = (purpose: string, text: string) => Buffer;

export function keyedDigest(secret: Uint8Array): KeyedDigest {
  return (purpose, text) => createHmac('sha256', secret).update(`${purpose}\0${text}`).digest();
}
