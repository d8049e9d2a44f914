import { ulid } from 'ulid';
import type { LedgerDatabase } from '../../../../lib/ledger/sqlite/sqlite-ledger.js';
import { newToken, tokenDigest } from '../../digests.js';
import type { Users } from '../../sqlite/users.js';
import { type SessionRow, shownBrowser, toSession, touchMs } from '../session-row.js';
import { type Session, sessionIdleMs } from '../sign-in.js';

const iso = (time: number) => new Date(time).toISOString();

/** Browsers that are signed in. Each use reads the file, so a session that any process ends is over at once. */
export class Sessions {
  readonly #database: LedgerDatabase;
  readonly #users: Users;
  readonly #sql;

  constructor(database: LedgerDatabase, users: Users) {
    const { db } = database;
    const select = 'SELECT id, account, browser, created_at, last_used_at FROM sessions';
    this.#database = database;
    this.#users = users;
    this.#sql = {
      open: db.prepare<[Buffer, string, string, string, number, number]>(
        `INSERT INTO sessions (digest, id, account, browser, created_at, last_used_at) VALUES (?, ?, ?, ?, ?, ?)`,
      ),
      byDigest: db.prepare<[Buffer, number], SessionRow>(`${select} WHERE digest = ? AND last_used_at > ?`),
      all: db.prepare<[string, number], SessionRow>(
        `${select} WHERE account = ? AND last_used_at > ? ORDER BY last_used_at DESC, id DESC`,
      ),
      lastUse: db
        .prepare<[string], number | null>('SELECT max(last_used_at) FROM sessions WHERE account = ?')
        .pluck(),
      touch: db.prepare<[number, Buffer]>('UPDATE sessions SET last_used_at = ? WHERE digest = ?'),
      end: db.prepare<[string, string]>('DELETE FROM sessions WHERE account = ? AND id = ?'),
      endAll: db.prepare<[string]>('DELETE FROM sessions WHERE account = ?'),
      sweep: db.prepare<[number]>('DELETE FROM sessions WHERE last_used_at <= ?'),
    };
  }

  /** Opens a session; inside a transaction. */
  open(account: string, userAgent: string, now: number): { session: Session; secret: string } {
    this.#sql.sweep.run(now - sessionIdleMs);
    const secret = newToken();
    const id = `ses_${ulid(now)}`;
    const browser = shownBrowser(userAgent);
    this.#sql.open.run(tokenDigest(secret) as Buffer, id, account, browser, now, now);
    const { email } = this.#users.byId(account);
    const row = { id, account, browser, created_at: now, last_used_at: now };
    return { session: toSession(row, email), secret };
  }

  /** The live session of a secret, which counts as its use; null when there is none. */
  async use(secret: string, now: number): Promise<Session | null> {
    const digest = tokenDigest(secret);
    if (digest === null) return null;
    const session = await this.#database.read(() => {
      const row = this.#sql.byDigest.get(digest, now - sessionIdleMs);
      return row === undefined ? null : this.#toSession(row);
    });
    if (session === null || now - Date.parse(session.last_used_at) < touchMs) return session;
    const { changes } = await this.#database.write(() => this.#sql.touch.run(now, digest));
    return changes === 0 ? null : { ...session, last_used_at: iso(now) };
  }

  list(account: string, now: number): Promise<readonly Session[]> {
    return this.#database.read(() =>
      this.#sql.all.all(account, now - sessionIdleMs).flatMap((row) => this.#toSession(row) ?? []),
    );
  }

  lastUsedAt(account: string): Promise<string | null> {
    return this.#database.read(() => {
      const time = this.#sql.lastUse.get(account) ?? null;
      return time === null ? null : iso(time);
    });
  }

  async end(account: string, id: string): Promise<boolean> {
    return (await this.#database.write(() => this.#sql.end.run(account, id))).changes === 1;
  }

  /** Ends every session of an account; inside a transaction. */
  deleteAccount({ account }: { readonly account: string }): void {
    this.#sql.endAll.run(account);
  }

  /** Null for a session whose account is gone. */
  #toSession(row: SessionRow): Session | null {
    const email = this.#users.find(row.account)?.email;
    return email === undefined ? null : toSession(row, email);
  }
}
