import type { Database } from '../../../../lib/sqlite/driver.js';
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

/** One mail that was counted. */
export interface CountedMail {
  /** Takes the count for the address back: for a mail that was never sent. */
  forget(): void;
}

/**
 * How many sign-in mails any hour may bring: from a network, and from it to one address. What others ask for
 * elsewhere does not count, so nobody can keep somebody else from signing in. Whether an address has an account makes
 * no difference. Methods must run inside a transaction.
 */
export class MailLimits {
  readonly #digest: KeyedDigest;
  readonly #sql;

  constructor(db: Database, digest: KeyedDigest) {
    this.#digest = digest;
    this.#sql = {
      sweep: db.prepare<[number, number]>('DELETE FROM sign_in_mails WHERE at <= ? OR at > ?'),
      /** The mail that has to leave the hour before another one may be sent. */
      last: db
        .prepare<[Buffer, number], number>(
          'SELECT at FROM sign_in_mails WHERE whom = ? ORDER BY at DESC, number DESC LIMIT 1 OFFSET ?',
        )
        .pluck(),
      add: db.prepare<[Buffer, number, Buffer, number]>(
        `INSERT INTO sign_in_mails (whom, at, number)
         VALUES (?, ?, (SELECT count(*) FROM sign_in_mails WHERE whom = ? AND at = ?))`,
      ),
      forget: db.prepare<[Buffer, number]>(
        `DELETE FROM sign_in_mails WHERE (whom, at, number) =
           (SELECT whom, at, max(number) FROM sign_in_mails WHERE whom = ? AND at = ?)`,
      ),
    };
  }

  /** Counts a mail. Throws `rate_limited` past a limit, with nothing counted. */
  count(email: string, address: string, now: number): CountedMail {
    // A clock that was set back must not hold anybody up until it has caught up.
    this.#sql.sweep.run(now - countedMs, now + skewMs);
    const { to, from } = countedAs(this.#digest, email, address);
    checkMailTimes(
      [this.#sql.last.get(to, maxToAddress - 1), this.#sql.last.get(from, maxFromNetwork - 1)],
      now,
    );
    for (const whom of [to, from]) this.#sql.add.run(whom, now, whom, now);
    return { forget: () => this.#sql.forget.run(to, now) };
  }

  /** True while codes for an address are looked at. */
  allowsCode(email: string, now: number): boolean {
    const last = this.#sql.last.get(wrongCodesOf(this.#digest, email), maxWrongCodes - 1);
    return last === undefined || last <= now - countedMs;
  }

  /** Counts a wrong code for an address. */
  countWrongCode(email: string, now: number): void {
    const whom = wrongCodesOf(this.#digest, email);
    this.#sql.add.run(whom, now, whom, now);
  }
}
