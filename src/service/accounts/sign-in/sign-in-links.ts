import type { Queries } from '../../../../lib/database/queries.js';
import type { AccountRows } from '../account-store.js';
import type { LinkRow } from './mailed-link.js';
import { linkMs, maxCodeTries, maxLiveCodes } from './sign-in-mail.js';

/** A live link whose code a browser tries. */
interface TriedLink {
  readonly digest: Buffer;
  readonly code: Buffer;
  /** Codes tried since it was mailed, including this one. */
  readonly tries: number;
}

/** Mailed links, stored as digests. */
export class SignInLinks implements AccountRows {
  async add(queries: Queries, digest: Buffer, link: LinkRow, now: number): Promise<void> {
    await queries.run('DELETE FROM sign_in_links WHERE created_at <= $1', [now - linkMs]);
    await queries.run(
      `INSERT INTO sign_in_links (digest, browser, code, email, next, created_at)
       VALUES ($1, $2, $3, $4, $5, $6)`,
      [digest, link.browser, link.code, link.email, link.next, now],
    );
  }

  async emailOf(queries: Queries, digest: Buffer, now: number): Promise<string | null> {
    const row = await queries.first<{ readonly email: string }>(
      'SELECT email FROM sign_in_links WHERE digest = $1 AND created_at > $2',
      [digest, now - linkMs],
    );
    return row?.email ?? null;
  }

  /** Removes and returns a live link; null if it no longer exists. Succeeds for exactly one caller. */
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

  /** Returns until when the newest link to an address works; 0 if none does. */
  async liveUntil(queries: Queries, email: string, now: number): Promise<number> {
    const row = await queries.first<{ readonly created_at: number }>(
      'SELECT created_at FROM sign_in_links WHERE email = $1 AND created_at > $2 ORDER BY created_at DESC LIMIT 1',
      [email, now - linkMs],
    );
    return row === undefined ? 0 : row.created_at + linkMs;
  }

  /** Returns true if a browser requested a mail whose link works. */
  async hasCode(queries: Queries, browser: Buffer, now: number): Promise<boolean> {
    const row = await queries.first<{ readonly found: number }>(
      'SELECT 1 AS found FROM sign_in_links WHERE browser = $1 AND created_at > $2 LIMIT 1',
      [browser, now - linkMs],
    );
    return row !== undefined;
  }

  /** Uses up a try of each of a browser's newest live links. Returns the links that had one left. */
  takeTries(queries: Queries, browser: Buffer, now: number): Promise<readonly TriedLink[]> {
    return queries.rows<TriedLink>(
      `UPDATE sign_in_links SET tries = tries + 1 WHERE tries < $3 AND digest IN (
         SELECT digest FROM sign_in_links WHERE browser = $1 AND created_at > $2 ORDER BY created_at DESC LIMIT $4)
       RETURNING digest, code, tries`,
      [browser, now - linkMs, maxCodeTries, maxLiveCodes],
    );
  }

  async remove(queries: Queries, digest: Buffer): Promise<void> {
    await queries.run('DELETE FROM sign_in_links WHERE digest = $1', [digest]);
  }

  async deleteAccount(queries: Queries, { email }: { readonly email: string }): Promise<void> {
    await queries.run('DELETE FROM sign_in_links WHERE email = $1', [email]);
  }
}
