import { timingSafeEqual } from 'node:crypto';
import type { Database } from 'better-sqlite3';
import { LRUCache } from 'lru-cache';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import { ledgerFault } from '../../../lib/ledger/sqlite/ledger-fault.js';
import type { Platform } from '../../../lib/platforms.js';
import type { KeyOwner } from '../accounts.js';
import { digestBytes, digestText, isSecret } from '../api-key.js';

interface Row {
  readonly id: string;
  readonly name: string;
  readonly digest: Buffer;
  readonly platforms: string | null;
  readonly revoked_at: number | null;
  readonly account: string;
  readonly email: string;
  readonly verified_at: number | null;
  readonly created_at: number;
}

interface CachedKey {
  readonly digest: Buffer;
  readonly owner: KeyOwner;
}

/** Keys in memory at most; others are looked up again. */
const maxCached = 10_000;

/**
 * The keys that called lately, in memory. The cache drops everything as soon as any process changes a key or an
 * account: it reads the count of such changes once in each turn of the event loop.
 */
export class ApiKeyCache {
  readonly #owners = new LRUCache<string, CachedKey>({ max: maxCached });
  readonly #find;
  readonly #version;
  #knownVersion = -1;
  #isChecked = false;

  constructor(db: Database) {
    this.#find = db.prepare<[Buffer], Row>(
      `SELECT api_keys.id, name, digest, platforms, revoked_at, account, email, verified_at, users.created_at
       FROM api_keys JOIN users USING (account) WHERE digest = ?`,
    );
    this.#version = db.prepare<[], number>('SELECT version FROM access').pluck();
  }

  /** The owner of a secret. Throws `invalid_api_key`, `revoked_api_key` and the ledger's faults. */
  authenticate(secret: string): KeyOwner {
    try {
      return this.#ownerOf(secret);
    } catch (cause) {
      throw ledgerFault(cause);
    }
  }

  /** To be called when this process has changed something: the rest of this turn sees it, too. */
  invalidate(): void {
    this.#isChecked = false;
  }

  #ownerOf(secret: string): KeyOwner {
    this.#dropStale();
    const name = digestText(secret);
    const digest = digestBytes(name);
    const cached = this.#owners.get(name);
    if (cached !== undefined && timingSafeEqual(cached.digest, digest)) return cached.owner;
    if (!isSecret(secret)) {
      throw new ExtractError('invalid_api_key', 'This is not an API key: it is cut, or has a typing slip.');
    }
    const row = this.#find.get(digest);
    if (row === undefined || !timingSafeEqual(row.digest, digest)) throw new ExtractError('invalid_api_key');
    if (row.revoked_at !== null) throw new ExtractError('revoked_api_key');
    const owner: KeyOwner = {
      account: row.account,
      email: row.email,
      verified: row.verified_at !== null,
      key: { id: row.id, name: row.name },
      platforms: row.platforms === null ? null : (JSON.parse(row.platforms) as Platform[]),
      since: new Date(row.created_at).toISOString(),
    };
    this.#owners.set(name, { digest, owner });
    return owner;
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
