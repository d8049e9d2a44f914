import { randomFillSync } from 'node:crypto';
import { decodeTime, monotonicFactory } from 'ulid';

const pool = new Uint8Array(4096);
let taken = pool.length;

/** A random fraction, from bytes that are fetched many at a time. One by one they cost more than the id. */
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

/** The date as it was when the process began, and what has passed since: it never jumps. */
const steadyNow = () => Math.floor(performance.timeOrigin + performance.now());

/** A new request id: unique, and in the order of time. */
export function newRequestId(): string {
  return `${prefix}${next(steadyNow())}`;
}

/** Milliseconds since an id was made in this process: it holds the time. */
export function age(id: string): number {
  return Math.max(0, steadyNow() - decodeTime(id.slice(prefix.length)));
}
