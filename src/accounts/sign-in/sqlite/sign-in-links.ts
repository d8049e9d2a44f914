import type { Database } from '../../../../lib/sqlite/driver.js';
import type { LinkRow, LiveLink } from '../mailed-link.js';
import { linkMs } from '../sign-in-mail.js';

/** The links that were mailed, as digests. Methods that write must run inside a transaction. */
export class SignInLinks {
  readonly #sql;

  constructor(db: Database) {
    this.#sql = {
      sweep: db.prepare<[number]>('DELETE FROM sign_in_links WHERE created_at <= ?'),
      add: db.prepare<[Buffer, Buffer, Buffer, string, string, number]>(
        'INSERT INTO sign_in_links (digest, browser, code, email, next, created_at) VALUES (?, ?, ?, ?, ?, ?)',
      ),
      find: db.prepare<[Buffer, number], LinkRow>(
        'SELECT browser, code, email, next FROM sign_in_links WHERE digest = ? AND created_at > ?',
      ),
      ofBrowser: db.prepare<[Buffer, number], LiveLink>(
        `SELECT digest, browser, code, email, next, tries FROM sign_in_links
         WHERE browser = ? AND created_at > ? AND code IS NOT NULL ORDER BY created_at DESC`,
      ),
      countTry: db.prepare<[Buffer]>('UPDATE sign_in_links SET tries = tries + 1 WHERE digest = ?'),
      remove: db.prepare<[Buffer]>('DELETE FROM sign_in_links WHERE digest = ?'),
      removeOf: db.prepare<[string]>('DELETE FROM sign_in_links WHERE email = ?'),
    };
  }

  /** Adds a link, and deletes those that are too old. */
  add(digest: Buffer, { browser, code, email, next }: LinkRow, now: number): void {
    this.#sql.sweep.run(now - linkMs);
    this.#sql.add.run(digest, browser, code, email, next, now);
  }

  /** The live link of a token's digest. */
  find(digest: Buffer, now: number): LinkRow | null {
    return this.#sql.find.get(digest, now - linkMs) ?? null;
  }

  /** The live links that a browser asked for, the newest first. */
  ofBrowser(browser: Buffer, now: number): readonly LiveLink[] {
    return this.#sql.ofBrowser.all(browser, now - linkMs);
  }

  /** Counts a wrong code. */
  countTry(digest: Buffer): void {
    this.#sql.countTry.run(digest);
  }

  remove(digest: Buffer): void {
    this.#sql.remove.run(digest);
  }

  /** Deletes the links to an account's address. */
  deleteAccount({ email }: { readonly email: string }): void {
    this.#sql.removeOf.run(email);
  }
}
