import { LRUCache } from 'lru-cache';
import type { Clock } from '../../../lib/runtime/clock.js';
import { maxRefusedCalls, type RefusedCall, type RefusedQuery } from './refused-calls.js';

/** The conditions of a page, each with the values that its `?` stand for. */
export function refusedConditions(
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

/** Accounts whose deletion is remembered, and milliseconds for which requests of theirs may still be under way. */
const [maxDeleted, underWayMs] = [1_000, 10 * 60_000];

/** Milliseconds that noted calls wait for others before they are written. */
const writeMs = 1_000;

/** Calls that were noted and are not yet written, by account: of each the newest, as many as are kept. */
export class NotedCalls {
  readonly #clock: Clock;
  readonly #write: () => void;
  #calls = new Map<string, RefusedCall[]>();
  readonly #deleted: LRUCache<string, true>;
  #disarm: (() => void) | undefined;

  /** `write` is called a second after a call was noted, unless all were taken before. */
  constructor(clock: Clock, write: () => void) {
    this.#clock = clock;
    this.#write = write;
    this.#deleted = new LRUCache({ max: maxDeleted, ttl: underWayMs, ttlResolution: 0, perf: clock });
  }

  add(call: RefusedCall): void {
    if (this.isDeleted(call.account)) return;
    const calls = this.#calls.get(call.account) ?? [];
    calls.push(call);
    if (calls.length > maxRefusedCalls) calls.shift();
    this.#calls.set(call.account, calls);
    this.#disarm ??= this.#clock.alarm(writeMs, this.#write, false);
  }

  /** Gives what is to be written, and forgets it. */
  take(): ReadonlyMap<string, readonly RefusedCall[]> {
    this.#disarm?.();
    this.#disarm = undefined;
    const calls = this.#calls;
    if (calls.size > 0) this.#calls = new Map();
    return calls;
  }

  /** Forgets the calls of an account, also of requests that end after this. */
  deleteAccount(account: string): void {
    this.#deleted.set(account, true);
    this.#calls.delete(account);
  }

  isDeleted(account: string): boolean {
    return this.#deleted.has(account);
  }
}
