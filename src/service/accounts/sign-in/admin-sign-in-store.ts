import type { Database } from '../../../../lib/database/database.js';
import type { Clock } from '../../../../lib/runtime/clock.js';
import type { AuditStore } from '../../audit/audit-store.js';
import { newToken, tokenDigest } from '../digests.js';
import { adminSessionMs } from './sign-in.js';

const linkMs = 3_600_000;

/** The operator's sign-in, open to anyone who can read what a server prints at startup. */
export class AdminSignInStore {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #audit: AuditStore;

  constructor(database: Database, clock: Clock, audit: AuditStore) {
    this.#database = database;
    this.#clock = clock;
    this.#audit = audit;
  }

  /** Creates a single-use link that works for an hour, and ends an earlier unused one. Returns its token. */
  createLink(): Promise<string> {
    const token = newToken();
    return this.#database.transaction(async (queries) => {
      // If two links are created concurrently, the later one counts.
      await queries.lockTable('admin_links');
      await queries.run('DELETE FROM admin_links');
      await queries.run('INSERT INTO admin_links (digest, created_at) VALUES ($1, $2)', [
        tokenDigest(token),
        this.#clock.now(),
      ]);
      await this.#audit.append(queries, { act: 'admin.link' });
      return token;
    });
  }

  /** Returns true for a token that `confirm` would accept. Changes nothing. */
  async isGood(token: string): Promise<boolean> {
    const digest = tokenDigest(token);
    if (digest === null) return false;
    const session = await this.#database.read((queries) =>
      queries.first('SELECT 1 FROM admin_links WHERE digest = $1 AND created_at > $2', [
        digest,
        this.#clock.now() - linkMs,
      ]),
    );
    return session !== undefined;
  }

  /** Returns the secret of a twelve-hour admin session; null if the token is unknown, used or expired. */
  async confirm(token: string): Promise<string | null> {
    const digest = tokenDigest(token);
    // A guess must not cause a write.
    if (digest === null || !(await this.isGood(token))) return null;
    const good = [digest, this.#clock.now() - linkMs] as const;
    return this.#database.transaction(async (queries) => {
      const deletedRows = await queries.run(
        'DELETE FROM admin_links WHERE digest = $1 AND created_at > $2',
        good,
      );
      if (deletedRows === 0) return null;
      const now = this.#clock.now();
      await queries.run('DELETE FROM admin_sessions WHERE created_at <= $1', [now - adminSessionMs]);
      const secret = newToken();
      await queries.run('INSERT INTO admin_sessions (digest, created_at) VALUES ($1, $2)', [
        tokenDigest(secret),
        now,
      ]);
      await this.#audit.append(queries, { act: 'admin.sign_in' });
      return secret;
    });
  }

  async isOpen(secret: string): Promise<boolean> {
    const digest = tokenDigest(secret);
    if (digest === null) return false;
    const link = await this.#database.read((queries) =>
      queries.first('SELECT 1 FROM admin_sessions WHERE digest = $1 AND created_at > $2', [
        digest,
        this.#clock.now() - adminSessionMs,
      ]),
    );
    return link !== undefined;
  }

  async endSession(secret: string): Promise<void> {
    const digest = tokenDigest(secret);
    if (digest === null) return;
    await this.#database.write((queries) =>
      queries.run('DELETE FROM admin_sessions WHERE digest = $1', [digest]),
    );
  }
}
