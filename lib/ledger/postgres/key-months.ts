import type { Queries } from '../../database/queries.js';

/** Adds to what keys were charged in months; the balance of their account is locked. */
export async function addToKeyMonths(
  queries: Queries,
  months: readonly { readonly key: string; readonly month: string; readonly credits: number }[],
): Promise<void> {
  const moved = months.filter(({ credits }) => credits !== 0);
  if (moved.length === 0) return;
  const values = [
    moved.map(({ key }) => key),
    moved.map(({ month }) => month),
    moved.map(({ credits }) => credits),
  ];
  // A refund was counted as a charge before: only a charge may find no row.
  await queries.run(
    {
      name: 'ledger_take_back_from_key_months',
      text: `UPDATE key_months SET credits = key_months.credits + moved.credits
             FROM unnest($1::text[], $2::text[], $3::bigint[]) AS moved (key_id, month, credits)
             WHERE moved.credits < 0 AND key_months.key_id = moved.key_id AND key_months.month = moved.month`,
    },
    values,
  );
  await queries.run(
    {
      name: 'ledger_add_to_key_months',
      text: `INSERT INTO key_months (key_id, month, credits)
             SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[]) AS moved (key_id, month, credits) WHERE credits > 0
             ON CONFLICT (key_id, month) DO UPDATE SET credits = key_months.credits + excluded.credits`,
    },
    values,
  );
}
