import type { Queries } from '../../../../lib/postgres/queries.js';
import type { KeyedDigest } from '../../digests.js';
import {
  checkMailTimes,
  countedAs,
  countedMs,
  maxFromNetwork,
  maxToAddress,
  maxWrongCodes,
  skewMs,
  wrongCodesOf,
} from '../mail-rate-limit.js';

/** Any number, the same in all versions: the advisory locks of what is counted here. */
const lockClass = 724_101;

/** One mail that was counted. */
export interface CountedMail {
  /** Takes the count for the address back: for a mail that was never sent. */
  forget(queries: Queries): Promise<void>;
}

/**
 * How many sign-in mails an hour still allows: from a network, and from it to one address. What others ask
 * for elsewhere does not count, so nobody can keep somebody else from signing in. Whether an address has an account makes
 * no difference. Methods must run inside a transaction.
 */
export class MailLimits {
  readonly #digest: KeyedDigest;

  constructor(digest: KeyedDigest) {
    this.#digest = digest;
  }

  /** Counts a mail. Rejects `rate_limited` past a limit; the transaction counts nothing then. */
  async count(queries: Queries, email: string, address: string, now: number): Promise<CountedMail> {
    const { to, from } = countedAs(this.#digest, email, address);
    await this.#lock(queries, [to, from]);
    // A clock that was set back must not hold anybody up until it has caught up.
    for (const whom of [to, from]) {
      await queries.run('DELETE FROM sign_in_mails WHERE whom = $1 AND (at <= $2 OR at > $3)', [
        ...[whom, now - countedMs, now + skewMs],
      ]);
    }
    checkMailTimes(
      [await this.#last(queries, to, maxToAddress - 1), await this.#last(queries, from, maxFromNetwork - 1)],
      now,
    );
    const number = await this.#add(queries, to, now);
    await this.#add(queries, from, now);
    // Rows of others, without waiting for whoever deletes them as well.
    await queries.run(
      `DELETE FROM sign_in_mails WHERE ctid = ANY (ARRAY(
         SELECT ctid FROM sign_in_mails WHERE at <= $1 OR at > $2 FOR UPDATE SKIP LOCKED))`,
      [now - countedMs, now + skewMs],
    );
    return {
      async forget(later) {
        await later.run('DELETE FROM sign_in_mails WHERE whom = $1 AND at = $2 AND number = $3', [
          ...[to, now, number],
        ]);
      },
    };
  }

  /** Lets the codes for addresses be looked at and counted by one transaction at a time. */
  async lockCodes(queries: Queries, emails: readonly string[]): Promise<void> {
    await this.#lock(
      queries,
      emails.map((email) => wrongCodesOf(this.#digest, email)),
    );
  }

  /** True while codes for an address are looked at. */
  async allowsCode(queries: Queries, email: string, now: number): Promise<boolean> {
    const last = await this.#last(queries, wrongCodesOf(this.#digest, email), maxWrongCodes - 1);
    return last === undefined || last <= now - countedMs;
  }

  /** Counts a wrong code for an address. */
  async countWrongCode(queries: Queries, email: string, now: number): Promise<void> {
    await this.#add(queries, wrongCodesOf(this.#digest, email), now);
  }

  /** Counts made at the same moment would not see one another. In one order, so that nobody waits in a circle. */
  async #lock(queries: Queries, all: readonly Buffer[]): Promise<void> {
    const keys = [...new Set(all.map((whom) => whom.readInt32BE(0)))].toSorted((a, b) => a - b);
    for (const key of keys) await queries.first('SELECT pg_advisory_xact_lock($1, $2)', [lockClass, key]);
  }

  /** The time of the mail that has to leave the hour before another one may be sent. */
  async #last(queries: Queries, whom: Buffer, offset: number): Promise<number | undefined> {
    const row = await queries.first<{ readonly at: number }>(
      'SELECT at FROM sign_in_mails WHERE whom = $1 ORDER BY at DESC, number DESC LIMIT 1 OFFSET $2',
      [whom, offset],
    );
    return row?.at;
  }

  async #add(queries: Queries, whom: Buffer, now: number): Promise<number> {
    const row = await queries.first<{ readonly number: number }>(
      `INSERT INTO sign_in_mails (whom, at, number)
       VALUES ($1, $2, (SELECT coalesce(max(number), 0) + 1 FROM sign_in_mails WHERE whom = $1 AND at = $2))
       RETURNING number`,
      [whom, now],
    );
    return row?.number ?? 0;
  }
}
