import { timingSafeEqual } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { ledgerFault } from '../../../lib/ledger/sqlite/ledger-fault.js';
import type { Clock } from '../../../lib/runtime/clock.js';
import type { Database } from '../../../lib/sqlite/driver.js';
import type { KeyOwner } from '../accounts.js';
import { digestBytes, digestText, isSecret } from '../api-key.js';
import {
  type CachedKey,
  checkFound,
  expiredKey,
  maxCachedKeys,
  misspeltKey,
  type StoredKeyRow,
  toCachedKey,
} from '../api-key-row.js';
import type { KeyUses } from './key-uses.js';

/**
 * The keys that called lately, in memory. The cache drops everything as soon as any process changes a key or an
 * account. It reads the count of such changes once in each turn of the event loop.
 */
export class ApiKeyCache {
  readonly #owners = new LRUCache<string, CachedKey>({ max: maxCachedKeys });
  readonly #clock: Clock;
  readonly #uses: KeyUses;
  readonly #find;
  readonly #version;
  #knownVersion = -1;
  #isChecked = false;

  /** `uses` keeps when a key was last used. */
  constructor(db: Database, clock: Clock, uses: KeyUses) {
    this.#clock = clock;
    this.#uses = uses;
    this.#find = db.prepare<[Buffer], StoredKeyRow>(
      `SELECT api_keys.id, name, digest, platforms, revoked_at, expires_at, monthly_credits,
         account, email, verified_at, users.created_at
       FROM api_keys JOIN users USING (account) WHERE digest = ?`,
    );
    this.#version = db.prepare<[], number>('SELECT version FROM access').pluck();
  }

  /** The owner of a secret, which is noted as used. Throws `invalid_api_key`, `revoked_api_key` and the ledger's faults. */
  authenticate(secret: string): KeyOwner {
    try {
      const now = this.#clock.now();
      const { owner, expiresAt } = this.#keyOf(secret);
      if (expiresAt !== null && expiresAt <= now) throw expiredKey(expiresAt);
      this.#uses.note(owner.key.id, now);
      return owner;
    } catch (cause) {
      throw ledgerFault(cause);
    }
  }

  /** To be called when this process has changed something: the rest of this turn sees it, too. */
  invalidate(): void {
    this.#isChecked = false;
  }

  #keyOf(secret: string): CachedKey {
    this.#dropStale();
    const name = digestText(secret);
    const digest = digestBytes(name);
    const cached = this.#owners.get(name);
    if (cached !== undefined && timingSafeEqual(cached.digest, digest)) return cached;
    if (!isSecret(secret)) throw misspeltKey();
    const key = toCachedKey(checkFound(this.#find.get(digest), digest));
    this.#owners.set(name, key);
    return key;
  }

  #dropStale(): void {
    if (this.#isChecked) return;
    this.#isChecked = true;
    setImmediate(() => {
      this.#isChecked = false;
    });
    const version = this.#version.get() ?? -1;
    if (version === this.#knownVersion) return;
    this.#owners.clear();
    this.#knownVersion = version;
  }
}
