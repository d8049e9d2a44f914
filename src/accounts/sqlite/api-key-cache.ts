import { timingSafeEqual } from 'node:crypto';
import type { Database } from 'better-sqlite3';
import { LRUCache } from 'lru-cache';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import type { Platform } from '../../../lib/platforms.js';
import type { KeyHolder } from '../accounts.js';
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

interface Kept {
  readonly digest: Buffer;
  readonly holder: KeyHolder;
}

/** Keys remembered at most; others are looked up again. */
const mostKept = 10_000;

/**
 * The keys that called lately, in memory. What is remembered is dropped as soon as any process changes a key or an
 * account: the count of such changes is read once in each turn of the event loop.
 */
export class ApiKeyCache {
  readonly #kept = new LRUCache<string, Kept>({ max: mostKept });
  readonly #find;
  readonly #version;
  #known = -1;
  #looked = false;

  constructor(db: Database) {
    this.#find = db.prepare<[Buffer], Row>(
      `SELECT api_keys.id, name, digest, platforms, revoked_at, account, email, verified_at, holders.created_at
       FROM api_keys JOIN holders USING (account) WHERE digest = ?`,
    );
    this.#version = db.prepare<[], number>('SELECT version FROM access').pluck();
  }

  holderOf(secret: string): KeyHolder {
    this.#forgetChanged();
    const name = digestText(secret);
    const digest = digestBytes(name);
    const kept = this.#kept.get(name);
    if (kept !== undefined && timingSafeEqual(kept.digest, digest)) return kept.holder;
    if (!isSecret(secret)) {
      throw new ExtractError('invalid_api_key', 'This is not an API key: it is cut, or has a typing slip.');
    }
    const row = this.#find.get(digest);
    if (row === undefined || !timingSafeEqual(row.digest, digest)) throw new ExtractError('invalid_api_key');
    if (row.revoked_at !== null) throw new ExtractError('revoked_api_key');
    const holder: KeyHolder = {
      account: row.account,
      email: row.email,
      verified: row.verified_at !== null,
      key: { id: row.id, name: row.name },
      platforms: row.platforms === null ? null : (JSON.parse(row.platforms) as Platform[]),
      since: new Date(row.created_at).toISOString(),
    };
    this.#kept.set(name, { digest, holder });
    return holder;
  }

  /** To be called when this process has changed something: the rest of this turn sees it, too. */
  changed(): void {
    this.#looked = false;
  }

  #forgetChanged(): void {
    if (this.#looked) return;
    this.#looked = true;
    setImmediate(() => {
      this.#looked = false;
    });
    const version = this.#version.get() ?? -1;
    if (version === this.#known) return;
    this.#kept.clear();
    this.#known = version;
  }
}
