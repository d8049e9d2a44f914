import { isRecord } from '../../../lib/read/json.js';
/** A changed value; undefined for a missing field. */
export interface Difference {
  /** Names and list indexes joined by dots: `data.3.bio`. */
  readonly field: string;
  readonly was: unknown;
  readonly now: unknown;
}

/** Returns the differing fields of two values, down to values that are neither objects nor lists of equal length. */
export function differences(field: string, was: unknown, now: unknown): Difference[] {
  if (isRecord(was) && isRecord(now)) {
    const names = new Set([...Object.keys(was), ...Object.keys(now)]);
    return [...names].flatMap((name) => differences(`${field}.${name}`, was[name], now[name]));
  }
  if (Array.isArray(was) && Array.isArray(now) && was.length === now.length) {
    return was.flatMap((one, index) => differences(`${field}.${index}`, one, now[index]));
  }
  return JSON.stringify(was) === JSON.stringify(now) ? [] : [{ field, was, now }];
}
