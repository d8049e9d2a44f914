import { decodeTime, monotonicFactory } from 'ulid';
import { elapsed, systemClock } from './clock.js';

/**
 * Increments within a millisecond. Ids are unique but not secret, so V8's random numbers suffice. Secure random bytes
 * would load `node:crypto` in each command: 6% of the processor time of a demo call (2026-11).
 */
const next = monotonicFactory(Math.random);

const prefix = 'req_';

/** The date when the process started; with elapsed time added, it never jumps. */
const began = Date.now() - elapsed(systemClock);
const steadyNow = () => Math.floor(began + elapsed(systemClock));

/** Returns a new request id: unique and ordered by time. */
export function newRequestId(): string {
  return `${prefix}${next(steadyNow())}`;
}

/** Returns the milliseconds since an id was created in this process, from the time in it. */
export function age(id: string): number {
  return Math.max(0, steadyNow() - decodeTime(id.slice(prefix.length)));
}
