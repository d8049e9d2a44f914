import { createHmac } from 'node:crypto';

/**
 * Names a thing that somebody could guess (an e-mail or network address) without keeping it: a digest that only this
 * data directory's secret makes. `purpose` keeps the digests of different tables apart.
 */
export type KeyedDigest = (purpose: string, text: string) => Buffer;

export function keyedDigest(secret: Uint8Array): KeyedDigest {
  return (purpose, text) => createHmac('sha256', secret).update(`${purpose}\0${text}`).digest();
}
