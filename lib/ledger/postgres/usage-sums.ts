import type { Queries } from '../../database/queries.js';
import type { SumChange } from '../unit-of-work.js';

/** Values of the changes, as `unnest` takes them. */
export function sumValues(sums: readonly SumChange[]): readonly (readonly (string | number)[])[] {
  return [
    sums.map(({ account }) => account),
    sums.map(({ day }) => day),
    sums.map(({ endpoint }) => endpoint),
    sums.map(({ key }) => key),
    sums.map(({ calls }) => calls),
    sums.map(({ failed }) => failed),
    sums.map(({ credits }) => credits),
  ];
}

/** Changes the sums of days; the balances of their accounts are locked. */
export async function addToSums(queries: Queries, sums: readonly SumChange[]): Promise<void> {
  if (sums.length === 0) return;
  const values = sumValues(sums);
  const moved = `unnest($1::text[], $2::bigint[], $3::text[], $4::text[], $5::bigint[], $6::bigint[], $7::bigint[])
    AS moved (account, day, endpoint, key_id, calls, failed, credits)`;
  const isNew = ({ calls, failed, credits }: SumChange) => calls >= 0 && failed >= 0 && credits >= 0;
  if (sums.every(isNew)) {
    await queries.run(
      {
        name: 'ledger_add_to_sums',
        text: `INSERT INTO usage_sums (account, day, endpoint, key_id, calls, failed, credits) SELECT * FROM ${moved}
               ON CONFLICT (account, day, endpoint, key_id) DO UPDATE SET calls = usage_sums.calls + excluded.calls,
                 failed = usage_sums.failed + excluded.failed, credits = usage_sums.credits + excluded.credits`,
      },
      values,
    );
    return;
  }
  // A sum that is reduced exists. The same change made of two, the one for what is there and the one for what is not.
  const change = { name: 'ledger_change_sums', text: changeSums(moved) };
  await queries.run(change, values);
  await addToSums(queries, sums.filter(isNew));
}

const changeSums = (moved: string) => `
  UPDATE usage_sums SET calls = usage_sums.calls + moved.calls, failed = usage_sums.failed + moved.failed,
    credits = usage_sums.credits + moved.credits
  FROM ${moved}
  WHERE (moved.calls < 0 OR moved.failed < 0 OR moved.credits < 0) AND usage_sums.account = moved.account
    AND usage_sums.day = moved.day AND usage_sums.endpoint = moved.endpoint AND usage_sums.key_id = moved.key_id`;
