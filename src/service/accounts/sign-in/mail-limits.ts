import type { Queries } from '../../../../lib/database/queries.js';
import { maxSkewMs } from '../../../../lib/runtime/clock.js';
import type { KeyedDigest } from '../digests.js';
import {
  checkMailTime,
  countedAs,
  countedMs,
  endOfHour,
  maxFromEverywhere,
  maxFromNetwork,
  maxToAddress,
} from './mail-rate-limit.js';

/** Any number, the same in all versions: the locks of what is counted here. */
const lockClass = 724_101;

/** One mail that was counted. */
export interface CountedMail {
  /** Takes the count for the address back: for a mail that was never sent. */
  forget(queries: Queries): Promise<void>;
}

/** A mail that is asked for. */
interface AskedMail {
  readonly email: string;
  /** Where it is asked for. */
  readonly address: string;
  /** Resolves with the time until which a link that was mailed to `email` works; 0 where none does. */
  liveUntil(): Promise<number>;
}

/**
 * How many sign-in mails an hour still allows: from a network, from it to one address, and to that address from
 * everywhere. The last one never leaves somebody without a link that works, so nobody can keep somebody else from
 * signing in. Whether an address has an account makes no difference. Methods must run inside a transaction.
 */
export class MailLimits {
  readonly #digest: KeyedDigest;

  constructor(digest: KeyedDigest) {
    this.#digest = digest;
  }

  /** Counts a mail. Rejects `rate_limited` past a limit; the transaction counts nothing then. */
  async count(queries: Queries, { email, address, liveUntil }: AskedMail, now: number): Promise<CountedMail> {
    const { to, from, toAddress } = countedAs(this.#digest, email, address);
    const all = [to, from, toAddress];
    await this.#lock(queries, all);
    // A clock that was set back must not hold anybody up until it has caught up.
    for (const whom of all) {
      await queries.run('DELETE FROM sign_in_mails WHERE whom = $1 AND (at <= $2 OR at > $3)', [
        ...[whom, now - countedMs, now + maxSkewMs],
      ]);
    }
    const freeTo = await this.#free(queries, to, maxToAddress);
    const freeFrom = await this.#free(queries, from, maxFromNetwork);
    // Only the lock shows the link of a mail that was asked for at the same moment.
    const freeEverywhere = Math.min(
      await liveUntil(),
      await this.#free(queries, toAddress, maxFromEverywhere),
    );
    checkMailTime(Math.max(freeTo, freeFrom, freeEverywhere), now);
    const counts: { readonly whom: Buffer; readonly number: number }[] = [];
    for (const whom of all) counts.push({ whom, number: await this.#add(queries, whom, now) });
    // Rows of others, without waiting for whoever deletes them as well.
    await queries.run(
      `DELETE FROM sign_in_mails WHERE (whom, at, number) IN (
         SELECT whom, at, number FROM sign_in_mails WHERE at <= $1 OR at > $2 ${queries.dialect.forUpdateSkipLocked})`,
      [now - countedMs, now + maxSkewMs],
    );
    return {
      async forget(later) {
        for (const { whom, number } of counts.filter(({ whom }) => whom !== from)) {
          await later.run('DELETE FROM sign_in_mails WHERE whom = $1 AND at = $2 AND number = $3', [
            ...[whom, now, number],
          ]);
        }
      },
    };
  }

  /** Counts made at the same moment would not see one another. In one order, so that nobody waits in a circle. */
  async #lock(queries: Queries, all: readonly Buffer[]): Promise<void> {
    const keys = [...new Set(all.map((whom) => whom.readInt32BE(0)))].toSorted((a, b) => a - b);
    for (const key of keys) await queries.lock(lockClass, key);
  }

  /** When so many mails no longer stand in the hour; 0 where there are fewer. */
  async #free(queries: Queries, whom: Buffer, most: number): Promise<number> {
    const row = await queries.first<{ readonly at: number }>(
      'SELECT at FROM sign_in_mails WHERE whom = $1 ORDER BY at DESC, number DESC LIMIT 1 OFFSET $2',
      [whom, most - 1],
    );
    return endOfHour(row?.at);
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
