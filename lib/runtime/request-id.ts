import { randomFillSync } from 'node:crypto';
import { decodeTime, monotonicFactory } from 'ulid';

const pool = new Uint8Array(4096);
let taken = pool.length;

/** A random fraction, from bytes that are fetched many at a time: one by one they cost more than the id. */
function random(): number {
  if (taken === pool.length) {
    randomFillSync(pool);
    taken = 0;
  }
  const byte = pool[taken] ?? 0;
  taken += 1;
  return byte / 256;
}

/** Counts on within a millisecond. */
const next = monotonicFactory(random);

const prefix = 'req_';

/** A new request id: unique, and in the order of time. */
export function newRequestId(): string {
  return `${prefix}${next()}`;
}

/** Milliseconds since an id was made: it holds the time. */
export function age(id: string): number {
  return Math.max(0, Date.now() - decodeTime(id.slice(prefix.length)));
}
