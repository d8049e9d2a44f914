import { LRUCache } from 'lru-cache';
import type { Clock } from '../../../lib/runtime/clock.js';
import { maxRefusedCalls, type RefusedCall, type RefusedQuery } from './refused-calls.js';

/** Returns the conditions of a page, with the values of their `?`. */
export function refusedPredicates(
  account: string,
  { before, endpoint, key, code, from, to }: RefusedQuery,
): readonly (readonly [condition: string, ...values: (string | number)[]])[] {
  return [
    ['account = ?', account],
    ...(before === undefined ? [] : [['(created_at, id) < (?, ?)', before.at, before.id] as const]),
    ...(endpoint === undefined ? [] : [['endpoint = ?', endpoint] as const]),
    ...(key === undefined ? [] : [['key_id = ?', key] as const]),
    ...(code === undefined ? [] : [['code = ?', code] as const]),
    ...(from === undefined ? [] : [['created_at >= ?', Date.parse(from)] as const]),
    ...(to === undefined ? [] : [['created_at < ?', Date.parse(to)] as const]),
  ];
}

/** Maximum remembered deleted accounts, and milliseconds for which their requests may still be running. */
const [maxDeleted, maxRunMs] = [1_000, 10 * 60_000];

/** Milliseconds that calls are collected before they are written. */
const writeMs = 1_000;

/** Unwritten calls by account: the newest of each, up to the stored maximum. */
export class NotedCalls {
  readonly #clock: Clock;
  readonly #write: () => void;
  #calls = new Map<string, RefusedCall[]>();
  readonly #deleted: LRUCache<string, true>;
  #disarm: (() => void) | undefined;

  /** `write` is called a second after a call was recorded, unless `take` has removed all of them by then. */
  constructor(clock: Clock, write: () => void) {
    this.#clock = clock;
    this.#write = write;
    this.#deleted = new LRUCache({ max: maxDeleted, ttl: maxRunMs, ttlResolution: 0, perf: clock });
  }

  add(call: RefusedCall): void {
    if (this.isDeleted(call.account)) return;
    const calls = this.#calls.get(call.account) ?? [];
    calls.push(call);
    if (calls.length > maxRefusedCalls) calls.shift();
    this.#calls.set(call.account, calls);
    this.#disarm ??= this.#clock.alarm(writeMs, this.#write, false);
  }

  /** Returns what is to be written, and clears it. */
  take(): ReadonlyMap<string, readonly RefusedCall[]> {
    this.#disarm?.();
    this.#disarm = undefined;
    const calls = this.#calls;
    if (calls.size > 0) this.#calls = new Map();
    return calls;
  }

  /** Removes the calls of an account, including requests that end later. */
  deleteAccount(account: string): void {
    this.#deleted.set(account, true);
    this.#calls.delete(account);
  }

  isDeleted(account: string): boolean {
    return this.#deleted.has(account);
  }
}
