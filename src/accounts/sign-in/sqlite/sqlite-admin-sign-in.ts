import type { LedgerDatabase } from '../../../../lib/ledger/sqlite/sqlite-ledger.js';
import type { Clock } from '../../../../lib/runtime/clock.js';
import { newToken, tokenDigest } from '../../digests.js';
import { type AdminSignIn, adminSessionMs } from '../sign-in.js';

/** Milliseconds that a link is good for. */
const linkMs = 3_600_000;

/** The operator's way in: whoever can read what the server prints when it starts. */
export class SqliteAdminSignIn implements AdminSignIn {
  readonly #database: LedgerDatabase;
  readonly #clock: Clock;
  readonly #sql;

  constructor(database: LedgerDatabase, clock: Clock) {
    const { db } = database;
    this.#database = database;
    this.#clock = clock;
    this.#sql = {
      forgetLinks: db.prepare<[]>('DELETE FROM admin_links'),
      addLink: db.prepare<[Buffer, number]>('INSERT INTO admin_links (digest, created_at) VALUES (?, ?)'),
      hasLink: db
        .prepare<[Buffer, number], number>('SELECT 1 FROM admin_links WHERE digest = ? AND created_at > ?')
        .pluck(),
      sweep: db.prepare<[number]>('DELETE FROM admin_sessions WHERE created_at <= ?'),
      addSession: db.prepare<[Buffer, number]>(
        'INSERT INTO admin_sessions (digest, created_at) VALUES (?, ?)',
      ),
      end: db.prepare<[Buffer]>('DELETE FROM admin_sessions WHERE digest = ?'),
      find: db
        .prepare<[Buffer, number], number>(
          'SELECT created_at FROM admin_sessions WHERE digest = ? AND created_at > ?',
        )
        .pluck(),
    };
  }

  createLink(): Promise<string> {
    const token = newToken();
    return this.#database.write(() => {
      this.#sql.forgetLinks.run();
      this.#sql.addLink.run(tokenDigest(token) as Buffer, this.#clock.now());
      return token;
    });
  }

  async confirm(token: string): Promise<string | null> {
    const digest = tokenDigest(token);
    const isGood = () =>
      digest !== null && this.#sql.hasLink.get(digest, this.#clock.now() - linkMs) !== undefined;
    // A guess costs no write.
    if (!(await this.#database.read(isGood))) return null;
    return this.#database.write(() => {
      if (!isGood()) return null;
      const now = this.#clock.now();
      this.#sql.forgetLinks.run();
      this.#sql.sweep.run(now - adminSessionMs);
      const secret = newToken();
      this.#sql.addSession.run(tokenDigest(secret) as Buffer, now);
      return secret;
    });
  }

  async isOpen(secret: string): Promise<boolean> {
    const digest = tokenDigest(secret);
    if (digest === null) return false;
    return this.#database.read(
      () => this.#sql.find.get(digest, this.#clock.now() - adminSessionMs) !== undefined,
    );
  }

  async endSession(secret: string): Promise<void> {
    const digest = tokenDigest(secret);
    if (digest !== null) await this.#database.write(() => this.#sql.end.run(digest));
  }
}
