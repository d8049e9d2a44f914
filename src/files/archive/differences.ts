import { isRecord } from '../../../lib/read/json.js';
/** A value that has changed. Undefined means a missing field. */
export interface Difference {
  /** Names joined by dots, list indexes from 0; such as `data.3.bio`. */
  readonly field: string;
  readonly was: unknown;
  readonly now: unknown;
}

/** Returns the fields in which two values differ, down to values that are neither objects nor lists of equal length. */
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
