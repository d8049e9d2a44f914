import { decodeTime, monotonicFactory } from 'ulid';
import { elapsed, systemClock } from './clock.js';

/**
 * Counts on within a millisecond. Ids are unique, but no secret: V8's own numbers do, which Node.js seeds from the system.
 * For random bytes each call would load `node:crypto`: 6% of the processor time of a demo call (2026-11).
 */
const next = monotonicFactory(Math.random);

const prefix = 'req_';

/** The date as it was at the first look, and what has passed since: it never jumps. */
const began = Date.now() - elapsed(systemClock);
const steadyNow = () => Math.floor(began + elapsed(systemClock));

/** A new request id: unique, and in the order of time. */
export function newRequestId(): string {
  return `${prefix}${next(steadyNow())}`;
}

/** Milliseconds since an id was made in this process: it holds the time. */
export function age(id: string): number {
  return Math.max(0, steadyNow() - decodeTime(id.slice(prefix.length)));
}
