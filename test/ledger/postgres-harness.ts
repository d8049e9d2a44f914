import assert from 'node:assert/strict';
import type { Database } from '../../lib/database/database.js';
import type { Postgres } from '../../lib/database/postgres/postgres.js';
import { imbalancesIn, wrongSumsIn } from '../../lib/ledger/imbalance.js';
import { postgresLedgerSchema } from '../../lib/ledger/postgres/ledger-schema.js';
import { PostgresLedger } from '../../lib/ledger/postgres/postgres-ledger.js';
import { FakeClock } from '../support/fake-clock.js';
import { type OpenTestDatabase, openTestDatabase } from '../support/postgres.js';
import { at } from './ledger-port.js';

/** A ledger in a separate database, whose local account has bought a pack. */
export interface LedgerHarness {
  readonly ledger: PostgresLedger;
  readonly database: OpenTestDatabase;
  readonly clock: FakeClock;
  /** Another process's ledger on the same database. */
  another(): PostgresLedger;
}

/** Returns a function that opens such ledgers. `after` registers the deletion of their databases. */
export function ledgerHarness(after: (end: () => Promise<void>) => void): () => Promise<LedgerHarness> {
  const ends: (() => Promise<void>)[] = [];
  after(async () => {
    for (const end of ends) await end();
  });
  return async () => {
    const clock = new FakeClock();
    const database = await openTestDatabase([postgresLedgerSchema]);
    const ledgers: PostgresLedger[] = [];
    const another = () => {
      const ledger = new PostgresLedger(database.postgres, clock);
      ledgers.push(ledger);
      return ledger;
    };
    ends.push(async () => {
      for (const ledger of ledgers) await ledger.close();
      await database.close();
    });
    const ledger = another();
    await ledger.grant({ id: 'local-first-pack', account: 'local', credits: 50_000, kind: 'pack', at });
    return { ledger, database, clock, another };
  };
}

/** The books add up: balances, and the sums of days. */
export async function assertBalanced(database: Database): Promise<void> {
  await database.read(async (queries) => {
    assert.deepEqual(await imbalancesIn(queries), []);
    assert.deepEqual(await wrongSumsIn(queries), []);
  });
}

/**
 * Asserts that the books balance, and that failed calls, and only those, were refunded in full and once. Each key's
 * monthly usage and the daily sums agree with the rows.
 */
export async function assertSound(postgres: Postgres): Promise<void> {
  await assertBalanced(postgres);
  await postgres.read(async (queries) => {
    const wrong = await queries.rows(
      `SELECT * FROM usage WHERE (status = 'failed' AND (credits_charged <> 0 OR cached))
        OR (status <> 'failed' AND error_code IS NOT NULL)
        OR (status <> 'failed' AND credits_refunded <> 0
          AND (job_id IS NULL OR status <> 'ok' OR credits_charged <> 0 OR cached))
        OR (status = 'pending') <> (owner IS NOT NULL)`,
    );
    assert.deepEqual(wrong, []);
    const months = `SELECT key_id, to_char(to_timestamp(charged_at / 1000) AT TIME ZONE 'UTC', 'YYYY-MM') AS month, sum(credits_charged) AS credits
      FROM usage WHERE key_id IS NOT NULL GROUP BY key_id, month HAVING sum(credits_charged) > 0 ORDER BY key_id, month`;
    const counted = 'SELECT key_id, month, credits FROM key_months WHERE credits > 0 ORDER BY key_id, month';
    assert.deepEqual(await queries.rows(counted), await queries.rows(months));
  });
}
