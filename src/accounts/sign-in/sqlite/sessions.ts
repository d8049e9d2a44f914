import { ulid } from 'ulid';
import type { LedgerDatabase } from '../../../../lib/ledger/sqlite/sqlite-ledger.js';
import type { Session } from '../sign-in.js';
import { newToken, tokenDigest } from '../token.js';

interface SessionRow {
  readonly id: string;
  readonly account: string;
  readonly email: string;
  readonly browser: string;
  readonly created_at: number;
  readonly last_used_at: number;
}

/** Milliseconds from its last use after which a session is over. */
const idleMs = 30 * 24 * 3_600_000;
/** Milliseconds within which a further use is not written down. */
const touchMs = 60_000;
const longestBrowser = 200;

const iso = (time: number) => new Date(time).toISOString();

function shown(row: SessionRow): Session {
  return { ...row, created_at: iso(row.created_at), last_used_at: iso(row.last_used_at) };
}

/** Browsers that are signed in. Each look reads the file, so a session that any process ends is over at once. */
export class Sessions {
  readonly #books: LedgerDatabase;
  readonly #sql;

  constructor(books: LedgerDatabase) {
    const { db } = books;
    const columns = 'id, account, email, browser, sessions.created_at, last_used_at';
    const from = 'FROM sessions JOIN holders USING (account)';
    this.#books = books;
    this.#sql = {
      open: db.prepare<[Buffer, string, string, string, number, number]>(
        `INSERT INTO sessions (digest, id, account, browser, created_at, last_used_at) VALUES (?, ?, ?, ?, ?, ?)`,
      ),
      byDigest: db.prepare<[Buffer, number], SessionRow>(
        `SELECT ${columns} ${from} WHERE digest = ? AND last_used_at > ?`,
      ),
      byId: db.prepare<[string], SessionRow>(`SELECT ${columns} ${from} WHERE id = ?`),
      all: db.prepare<[string, number], SessionRow>(
        `SELECT ${columns} ${from} WHERE account = ? AND last_used_at > ? ORDER BY last_used_at DESC, id DESC`,
      ),
      touch: db.prepare<[number, Buffer]>('UPDATE sessions SET last_used_at = ? WHERE digest = ?'),
      end: db.prepare<[string, string]>('DELETE FROM sessions WHERE account = ? AND id = ?'),
      sweep: db.prepare<[number]>('DELETE FROM sessions WHERE last_used_at <= ?'),
    };
  }

  /** Opens a session; inside a transaction. */
  open(account: string, userAgent: string, now: number): { session: Session; secret: string } {
    this.#sql.sweep.run(now - idleMs);
    const secret = newToken();
    const id = `ses_${ulid(now)}`;
    const browser = userAgent.replace(/\p{C}/gu, ' ').trim().slice(0, longestBrowser);
    this.#sql.open.run(tokenDigest(secret) as Buffer, id, account, browser, now, now);
    return { session: shown(this.#sql.byId.get(id) as SessionRow), secret };
  }

  /** The live session of a secret, which counts as its use; null when there is none. */
  async use(secret: string, now: number): Promise<Session | null> {
    const digest = tokenDigest(secret);
    const row = digest === null ? undefined : this.#sql.byDigest.get(digest, now - idleMs);
    if (digest === null || row === undefined) return null;
    if (now - row.last_used_at < touchMs) return shown(row);
    const { changes } = await this.#books.write(() => this.#sql.touch.run(now, digest));
    return changes === 0 ? null : shown({ ...row, last_used_at: now });
  }

  list(account: string, now: number): readonly Session[] {
    return this.#sql.all.all(account, now - idleMs).map(shown);
  }

  async end(account: string, id: string): Promise<boolean> {
    return (await this.#books.write(() => this.#sql.end.run(account, id))).changes === 1;
  }
}
