import { createHash, createHmac, randomBytes } from 'node:crypto';

const bytes = 32;
const form = /^[\w-]{43}$/;

/** A secret for a link or a cookie: 256 random bits. */
export function newToken(): string {
  return randomBytes(bytes).toString('base64url');
}

/**
 * The digest that is stored of a token, or null for text that is none. There is nothing to guess, so a plain hash is enough.
 * A lookup by digest reveals nothing of the token by its time.
 */
export function tokenDigest(token: string): Buffer | null {
  return form.test(token) ? createHash('sha256').update(token).digest() : null;
}

/**
 * Names a thing that somebody could guess (an e-mail or network address) without keeping it. A digest that only this
 * data directory's secret makes. `purpose` keeps the digests of different tables apart.
 */
export type KeyedDigest = (purpose: string, text: string) => Buffer;

export function keyedDigest(secret: Uint8Array): KeyedDigest {
  return (purpose, text) => createHmac('sha256', secret).update(`${purpose}\0${text}`).digest();
}
