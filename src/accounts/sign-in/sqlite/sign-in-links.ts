import { timingSafeEqual } from 'node:crypto';
import type { Database } from 'better-sqlite3';

interface LinkRow {
  readonly browser: Buffer;
  readonly email: string;
  readonly next: string;
}

/** Milliseconds that a link is good for. */
const linkMs = 15 * 60_000;

/** The links that were mailed, as digests. Methods that write must run inside a transaction. */
export class SignInLinks {
  readonly #sql;

  constructor(db: Database) {
    this.#sql = {
      sweep: db.prepare<[number]>('DELETE FROM sign_in_links WHERE created_at <= ?'),
      add: db.prepare<[Buffer, Buffer, string, string, number]>(
        'INSERT INTO sign_in_links (digest, browser, email, next, created_at) VALUES (?, ?, ?, ?, ?)',
      ),
      find: db.prepare<[Buffer, number], LinkRow>(
        'SELECT browser, email, next FROM sign_in_links WHERE digest = ? AND created_at > ?',
      ),
      remove: db.prepare<[Buffer]>('DELETE FROM sign_in_links WHERE digest = ?'),
      removeOf: db.prepare<[string]>('DELETE FROM sign_in_links WHERE email = ?'),
    };
  }

  /** Adds a link, and deletes those that are too old. */
  add(digest: Buffer, { browser, email, next }: LinkRow, now: number): void {
    this.#sql.sweep.run(now - linkMs);
    this.#sql.add.run(digest, browser, email, next, now);
  }

  /** The live link of a token's digest, for the browser that asked for it. */
  find(digest: Buffer, browser: Buffer, now: number): LinkRow | null {
    const link = this.#sql.find.get(digest, now - linkMs);
    return link !== undefined && timingSafeEqual(link.browser, browser) ? link : null;
  }

  remove(digest: Buffer): void {
    this.#sql.remove.run(digest);
  }

  /** Deletes the links to an account's address. */
  deleteAccount({ email }: { readonly email: string }): void {
    this.#sql.removeOf.run(email);
  }
}
