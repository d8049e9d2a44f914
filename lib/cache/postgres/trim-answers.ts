import type { Postgres } from '../../database/postgres/postgres.js';

/** Arbitrary. If several processes start to trim, only the first one does. */
const lockId = 7_238_471_004;
/** Rows deleted per statement, so that no caller waits long. */
const atOnce = 2_000;
/** The share of the limit to which an oversized table is trimmed, so that the next checks pass. */
const share = 0.9;

/**
 * Deletes expired answers, then those that expire first, until the rest takes at most `bytes`. A database file does not
 * shrink: its free pages take the next answers.
 */
export async function trimAnswers(postgres: Postgres, bytes: number, now: number): Promise<void> {
  for (;;) {
    const deleted = await postgres.transaction(async (queries) => {
      const lock = 'SELECT pg_try_advisory_xact_lock($1) AS taken';
      if ((await queries.first<{ readonly taken: boolean }>(lock, [lockId]))?.taken !== true) return 0;
      const expired = await queries.run(
        'DELETE FROM answers WHERE ctid = ANY(ARRAY(SELECT ctid FROM answers WHERE expires <= $1 LIMIT $2))',
        [now, atOnce],
      );
      if (expired === atOnce) return expired;
      // File sizes are available immediately. Row sizes must be summed, and values stored out of line count only as
      // pointers.
      const files = await queries.first<{ readonly bytes: number }>(
        `SELECT pg_total_relation_size('answers') AS bytes`,
      );
      if (files === undefined || files.bytes <= bytes) return 0;
      const total = await queries.first<{ readonly bytes: number }>(
        'SELECT coalesce(sum(pg_column_size(value)), 0) AS bytes FROM answers',
      );
      if (total === undefined || total.bytes <= bytes) return 0;
      return queries.run(
        `DELETE FROM answers WHERE ctid = ANY(ARRAY(
           SELECT ctid FROM (
             SELECT ctid, sum(size) OVER (ORDER BY expires, ctid) - size AS before
             FROM (SELECT ctid, expires, pg_column_size(value) AS size FROM answers ORDER BY expires LIMIT $2) AS oldest
           ) AS summed WHERE before < $1))`,
        [total.bytes - Math.floor(bytes * share), atOnce],
      );
    });
    if (deleted < atOnce) return;
  }
}
