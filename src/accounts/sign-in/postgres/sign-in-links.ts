import type { Queries } from '../../../../lib/postgres/queries.js';
import type { AccountRows } from '../../postgres/postgres-accounts.js';
import type { LinkRow, LiveLink } from '../mailed-link.js';
import { linkMs } from '../sign-in-mail.js';

/** The links that were mailed, as digests. */
export class SignInLinks implements AccountRows {
  /** Adds a link, and deletes those that are too old. */
  async add(queries: Queries, digest: Buffer, link: LinkRow, now: number): Promise<void> {
    await queries.run('DELETE FROM sign_in_links WHERE created_at <= $1', [now - linkMs]);
    await queries.run(
      `INSERT INTO sign_in_links (digest, browser, code, email, next, created_at)
       VALUES ($1, $2, $3, $4, $5, $6)`,
      [digest, link.browser, link.code, link.email, link.next, now],
    );
  }

  /** The address of a token's live link. */
  async emailOf(queries: Queries, digest: Buffer, now: number): Promise<string | null> {
    const row = await queries.first<{ readonly email: string }>(
      'SELECT email FROM sign_in_links WHERE digest = $1 AND created_at > $2',
      [digest, now - linkMs],
    );
    return row?.email ?? null;
  }

  /** Takes a live link away, for one caller alone; null where it is not there any more. */
  async take(
    queries: Queries,
    digest: Buffer,
    now: number,
  ): Promise<{ readonly email: string; readonly next: string } | null> {
    const row = await queries.first<{ readonly email: string; readonly next: string }>(
      'DELETE FROM sign_in_links WHERE digest = $1 AND created_at > $2 RETURNING email, next',
      [digest, now - linkMs],
    );
    return row ?? null;
  }

  /** The live links that a browser asked for, the newest first. */
  ofBrowser(queries: Queries, browser: Buffer, now: number): Promise<readonly LiveLink[]> {
    return queries.rows<LiveLink>(
      `SELECT digest, browser, code, email, next, tries FROM sign_in_links
       WHERE browser = $1 AND created_at > $2 ORDER BY created_at DESC`,
      [browser, now - linkMs],
    );
  }

  /** Counts a wrong code. */
  async countTry(queries: Queries, digest: Buffer): Promise<void> {
    await queries.run('UPDATE sign_in_links SET tries = tries + 1 WHERE digest = $1', [digest]);
  }

  async remove(queries: Queries, digest: Buffer): Promise<void> {
    await queries.run('DELETE FROM sign_in_links WHERE digest = $1', [digest]);
  }

  /** Deletes the links to an account's address. */
  async deleteAccount(queries: Queries, { email }: { readonly email: string }): Promise<void> {
    await queries.run('DELETE FROM sign_in_links WHERE email = $1', [email]);
  }
}
