import { ulid } from 'ulid';
import type { Database } from '../../../../lib/database/database.js';
import type { Queries } from '../../../../lib/database/queries.js';
import { isoOrNull } from '../../../../lib/read/iso-time.js';
import type { AccountRows } from '../account-store.js';
import { newToken, tokenDigest } from '../digests.js';
import type { UserRow } from '../user-row.js';
import { type SessionRow, shownBrowser, toSession, touchMs } from './session-row.js';
import { type Session, sessionIdleMs } from './sign-in.js';

type FullRow = SessionRow & { readonly email: string };

/** A session of a deleted account does not count. */
const select = `SELECT id, account, browser, sessions.created_at, last_used_at, email
  FROM sessions JOIN users USING (account)`;

/** Signed-in browsers. Each use queries the database, so a session ended by any process is over immediately. */
export class Sessions implements AccountRows {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async open(
    queries: Queries,
    { account, email }: UserRow,
    userAgent: string,
    now: number,
  ): Promise<{ session: Session; secret: string }> {
    await queries.run(
      `DELETE FROM sessions WHERE digest IN (
         SELECT digest FROM sessions WHERE last_used_at <= $1 ${queries.dialect.forUpdateSkipLocked})`,
      [now - sessionIdleMs],
    );
    const secret = newToken();
    const browser = shownBrowser(userAgent);
    const row = { id: `ses_${ulid(now)}`, account, browser, created_at: now, last_used_at: now };
    await queries.run(
      `INSERT INTO sessions (digest, id, account, browser, created_at, last_used_at)
       VALUES ($1, $2, $3, $4, $5, $6)`,
      [tokenDigest(secret), row.id, account, browser, now, now],
    );
    return { session: toSession(row, email), secret };
  }

  /** Returns the live session of a secret and records its use; null if there is none. */
  async use(secret: string, now: number): Promise<Session | null> {
    const digest = tokenDigest(secret);
    if (digest === null) return null;
    const row = await this.#database.read((queries) =>
      queries.first<FullRow>(`${select} WHERE digest = $1 AND last_used_at > $2`, [
        digest,
        now - sessionIdleMs,
      ]),
    );
    if (row === undefined) return null;
    if (now - row.last_used_at < touchMs) return toSession(row, row.email);
    const touched = await this.#database.write((queries) =>
      queries.run(
        `UPDATE sessions SET last_used_at = ${queries.dialect.greatest('last_used_at', '$1')} WHERE digest = $2`,
        [now, digest],
      ),
    );
    return touched === 0 ? null : toSession({ ...row, last_used_at: now }, row.email);
  }

  list(account: string, now: number): Promise<readonly Session[]> {
    return this.#database.read(async (queries) => {
      const rows = await queries.rows<FullRow>(
        `${select} WHERE account = $1 AND last_used_at > $2 ORDER BY last_used_at DESC, id DESC`,
        [account, now - sessionIdleMs],
      );
      return rows.map((row) => toSession(row, row.email));
    });
  }

  lastUsedAt(account: string): Promise<string | null> {
    return this.#database.read(async (queries) => {
      const row = await queries.first<{ readonly last: number | null }>(
        'SELECT max(last_used_at) AS last FROM sessions WHERE account = $1',
        [account],
      );
      return isoOrNull(row?.last ?? null);
    });
  }

  async end(account: string, id: string): Promise<boolean> {
    const changes = await this.#database.write((queries) =>
      queries.run('DELETE FROM sessions WHERE account = $1 AND id = $2', [account, id]),
    );
    return changes === 1;
  }

  async deleteAccount(queries: Queries, { account }: { readonly account: string }): Promise<void> {
    await queries.run('DELETE FROM sessions WHERE account = $1', [account]);
  }
}
