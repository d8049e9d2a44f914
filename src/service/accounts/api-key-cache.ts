import { timingSafeEqual } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Database } from '../../../lib/database/database.js';
import type { Dialect } from '../../../lib/database/dialect.js';
import { LastUses } from '../../../lib/database/last-uses.js';
import { type Clock, maxSkewMs } from '../../../lib/runtime/clock.js';
import { AccessVersion, versionSql } from './access-version.js';
import type { KeyOwner } from './accounts.js';
import { keyColumns } from './accounts-schema.js';
import { digestBytes, digestText, isSecret } from './api-key.js';
import {
  type CachedKey,
  checkFound,
  expiredKey,
  maxCachedKeys,
  misspeltKey,
  type StoredKeyRow,
  toCachedKey,
} from './api-key-row.js';

interface VersionedKey extends CachedKey {
  /** The access version when the key was read. */
  readonly version: number;
}

const columns = Object.keys(keyColumns).map((name) => `api_keys.${name}`);
const findKey = {
  name: 'api-key',
  text: `SELECT ${columns}, email, verified_at, users.created_at AS since, ${versionSql} AS version
         FROM api_keys JOIN users USING (account) WHERE digest = $1`,
};

/** Locks the key, so that nothing of it remains if its account is being deleted. */
const noteUse = ({ forUpdate }: Dialect) =>
  `INSERT INTO key_uses (key, used_at)
     SELECT id, CAST($2 AS bigint) FROM api_keys WHERE id = $1 ${forUpdate}
   ON CONFLICT (key) DO UPDATE SET used_at = excluded.used_at
     WHERE key_uses.used_at NOT BETWEEN excluded.used_at AND excluded.used_at + ${maxSkewMs}`;

/** Recently used keys in memory, valid until any process changes a key or an account. */
export class ApiKeyCache {
  readonly #owners = new LRUCache<string, VersionedKey>({ max: maxCachedKeys });
  readonly #clock: Clock;
  readonly #uses: LastUses;
  readonly #version: AccessVersion;

  constructor(database: Database, clock: Clock) {
    this.#clock = clock;
    this.#uses = new LastUses(database, noteUse);
    this.#version = new AccessVersion(database, clock);
  }

  /**
   * Returns the owner of a key and records its use. Rejects `invalid_api_key`, `revoked_api_key`, or with a
   * `StorageError`.
   */
  async authenticate(secret: string): Promise<KeyOwner> {
    const wait = this.#version.wait();
    if (wait !== undefined) await wait;
    const name = digestText(secret);
    const cached = this.#owners.get(name);
    const isKnown =
      cached !== undefined &&
      this.#version.isLast(cached.version) &&
      timingSafeEqual(cached.digest, digestBytes(name));
    const { owner, expiresAt } = isKnown ? cached : await this.#find(secret, name);
    const now = this.#clock.now();
    if (expiresAt !== null && expiresAt <= now) throw expiredKey(expiresAt);
    this.#uses.note(owner.key.id, now);
    return owner;
  }

  /** Must be called after this process changes a key or an account, so that later calls see the change. */
  invalidate(): void {
    this.#version.invalidate();
  }

  async #find(secret: string, name: string): Promise<VersionedKey> {
    if (!isSecret(secret)) throw misspeltKey();
    const digest = digestBytes(name);
    const row = await this.#version.readWith((queries) =>
      queries.first<StoredKeyRow & { readonly version: number }>(findKey, [digest]),
    );
    const keyRow = checkFound(row, digest);
    const key = { ...toCachedKey(keyRow), version: keyRow.version };
    this.#owners.set(name, key);
    return key;
  }
}
