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

/** Arbitrary, the same in all versions: the lock class of these counts. */
const lockClass = 724_101;

export interface CountedMail {
  /** Uncounts a mail that was never sent. */
  forget(queries: Queries): Promise<void>;
}

interface RequestedMail {
  readonly email: string;
  readonly address: string;
  /** Returns until when a link mailed to `email` works; 0 if none does. */
  liveUntil(): Promise<number>;
}

/** Locks the counts, because concurrent transactions would not see each other's. A fixed order avoids deadlocks. */
async function lock(queries: Queries, all: readonly Buffer[]): Promise<void> {
  const keys = [...new Set(all.map((whom) => whom.readInt32BE(0)))].toSorted((a, b) => a - b);
  for (const key of keys) await queries.lock(lockClass, key);
}

/** Returns when fewer than `most` mails will remain within the hour; 0 if fewer already do. */
async function free(queries: Queries, whom: Buffer, most: number): Promise<number> {
  const row = await queries.first<{ readonly at: number }>(
    'SELECT at FROM sign_in_mails WHERE whom = $1 ORDER BY at DESC, number DESC LIMIT 1 OFFSET $2',
    [whom, most - 1],
  );
  return endOfHour(row?.at);
}

async function add(queries: Queries, whom: Buffer, now: number): Promise<number> {
  const row = await queries.first<{ readonly number: number }>(
    `INSERT INTO sign_in_mails (whom, at, number)
     VALUES ($1, $2, (SELECT coalesce(max(number), 0) + 1 FROM sign_in_mails WHERE whom = $1 AND at = $2))
     RETURNING number`,
    [whom, now],
  );
  return row?.number ?? 0;
}

/**
 * Counts a sign-in mail, within a transaction. The limits per hour are: from a network, from a network to one address,
 * and to one address from everywhere. The last limit never leaves an address without a working link, so that no one can
 * lock someone else out. An account makes no difference. Rejects `rate_limited` above a limit; the transaction then
 * counts nothing.
 */
export async function countMail(
  queries: Queries,
  digest: KeyedDigest,
  { email, address, liveUntil }: RequestedMail,
  now: number,
): Promise<CountedMail> {
  const { to, from, toAddress } = countedAs(digest, email, address);
  const all = [to, from, toAddress];
  await lock(queries, all);
  // A clock that was set back must not delay anyone until it has caught up.
  for (const whom of all) {
    await queries.run('DELETE FROM sign_in_mails WHERE whom = $1 AND (at <= $2 OR at > $3)', [
      ...[whom, now - countedMs, now + maxSkewMs],
    ]);
  }
  const freeTo = await free(queries, to, maxToAddress);
  const freeFrom = await free(queries, from, maxFromNetwork);
  // Only under the lock is a link requested at the same moment visible.
  const freeEverywhere = Math.min(await liveUntil(), await free(queries, toAddress, maxFromEverywhere));
  checkMailTime(Math.max(freeTo, freeFrom, freeEverywhere), now);
  const counts: { readonly whom: Buffer; readonly number: number }[] = [];
  for (const whom of all) counts.push({ whom, number: await add(queries, whom, now) });
  // Deletes the expired rows of other addresses, except rows that another process is deleting.
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
