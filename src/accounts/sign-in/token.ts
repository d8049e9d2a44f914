import { createHash, randomBytes } from 'node:crypto';

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
