import type { PreparedRows, Queries } from '../database/queries.js';
import type { SumChange } from './unit-of-work.js';

/** The columns of the sums of ended calls, by day, endpoint and key. */
export const sumColumns = {
  account: 'text',
  day: 'integer',
  endpoint: 'text',
  key: 'text',
  calls: 'integer',
  failed: 'integer',
  credits: 'integer',
} as const;

/** Returns the statement that adds selected rows to the sums. */
export const addSums = (selected: string) => `
  INSERT INTO usage_sums (account, day, endpoint, key_id, calls, failed, credits) ${selected}
  ON CONFLICT (account, day, endpoint, key_id) DO UPDATE SET calls = usage_sums.calls + excluded.calls,
    failed = usage_sums.failed + excluded.failed, credits = usage_sums.credits + excluded.credits`;

const add: PreparedRows<typeof sumColumns> = {
  name: 'ledger_add_to_sums',
  columns: sumColumns,
  text: (records) => addSums(`SELECT * FROM ${records} WHERE true`),
};

const reduce: PreparedRows<typeof sumColumns> = {
  name: 'ledger_reduce_sums',
  columns: sumColumns,
  text: (records) => `
    UPDATE usage_sums SET calls = usage_sums.calls + records.calls, failed = usage_sums.failed + records.failed,
      credits = usage_sums.credits + records.credits
    FROM ${records}
    WHERE usage_sums.account = records.account AND usage_sums.day = records.day
      AND usage_sums.endpoint = records.endpoint AND usage_sums.key_id = records.key`,
};

const isReduced = ({ calls, failed, credits }: SumChange) => calls < 0 || failed < 0 || credits < 0;

/** Changes the sums of days, with their accounts' balances locked. */
export async function addToSums(queries: Queries, sums: readonly SumChange[]): Promise<void> {
  // A sum that decreases always exists.
  const reduced = sums.filter(isReduced);
  const added = reduced.length === 0 ? sums : sums.filter((sum) => !isReduced(sum));
  if (reduced.length > 0) await queries.runAll(reduce, reduced);
  if (added.length > 0) await queries.runAll(add, added);
}
