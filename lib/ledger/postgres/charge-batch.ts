import { sentRows } from '../../database/postgres/dialect.js';
import { listsOf } from '../../database/postgres/queries.js';
import type { Queries } from '../../database/queries.js';
import { canPay, duesOfAccounts, takeDues } from '../balances.js';
import { type CallRow, callRecord, rowColumns } from '../call-row.js';
import { accountDues, balancesAfter, keyDues } from '../dues.js';
import { monthOf } from '../key-limit.js';
import type { Charge } from '../ledger.js';
import { paidRow, pendingRow } from '../postings.js';
import { sumChanges } from '../unit-of-work.js';
import { addSums, sumColumns } from '../usage-sums.js';

/** A call to charge: already answered, or starting on a node. */
export interface BatchedCharge {
  readonly charge: Charge;
  readonly isPaid: boolean;
}

const isLocked = '(SELECT count(*) FROM locked) > 0';

/*
 * $1 to $3 are the amounts due from accounts, $4 to $6 from keys, $7 is the month. The sums of days start at $8, $15
 * and $16 name the commit, and the rows start at $17. The rows are written before a balance is locked, so that others
 * wait only for three short updates and the commit. The statement first finds, without a lock, the calls that can be
 * paid, so that refused calls write nothing. If other transactions spent the rest meanwhile, a CHECK undoes the
 * statement. The CHECK of a key's month rejects -1.
 */
const text = `
  WITH ${duesOfAccounts},
  key_due AS (SELECT * FROM unnest($4::text[], $5::bigint[], $6::bigint[]) AS d (key_id, credits, monthly)),
  fits AS (
    SELECT ${canPay} AND NOT EXISTS (
      SELECT FROM key_due LEFT JOIN key_months ON key_months.key_id = key_due.key_id AND key_months.month = $7
      WHERE coalesce(key_months.credits, 0) + key_due.credits > key_due.monthly
    ) AS fits
  ),
  made AS (
    INSERT INTO usage (${rowColumns}) SELECT records.* FROM ${sentRows(callRecord, 17)} WHERE (SELECT fits FROM fits) RETURNING id
  ),
  ${takeDues('(SELECT count(*) FROM made) > 0')},
  noted AS (
    INSERT INTO unheard_commits (node, number, calls)
    SELECT $15::text, $16::bigint, array_agg(id) FROM made WHERE ${isLocked} HAVING count(*) > 0
  ),
  counted AS (
    INSERT INTO key_months (key_id, month, credits) SELECT key_id, $7, credits FROM key_due WHERE ${isLocked}
    ON CONFLICT (key_id, month) DO UPDATE SET credits =
      CASE WHEN key_months.credits + excluded.credits <= (SELECT monthly FROM key_due WHERE key_due.key_id = excluded.key_id)
      THEN key_months.credits + excluded.credits ELSE -1 END
  ),
  summed AS (
    ${addSums(`SELECT * FROM ${sentRows(sumColumns, 8)} WHERE ${isLocked}`)}
  )
  SELECT account, credits FROM taken`;

const statement = { name: 'ledger_charge_together', text };

/**
 * Takes the prices of calls and writes their rows in one statement, at `now` in milliseconds, as commit `number` of the
 * node `owner`. Returns the balance after each. Returns null, with nothing changed, if an account cannot pay its part
 * or a key would exceed its limit. Rejects, with nothing changed, for an id that already exists.
 */
export async function chargeTogether(
  queries: Queries,
  charges: readonly BatchedCharge[],
  { owner, number, now }: { readonly owner: string; readonly number: number; readonly now: number },
): Promise<readonly number[] | null> {
  const all = charges.map(({ charge }) => charge);
  const dues = accountDues(all);
  const ofKeys = keyDues(all);
  const rows: CallRow[] = charges.map(({ charge, isPaid }) =>
    isPaid ? paidRow(charge, now) : pendingRow(charge, owner, now),
  );
  const paidRows = await queries.rows<{ readonly account: string; readonly credits: number }>(statement, [
    dues.map(({ account }) => account),
    dues.map(({ credits }) => credits),
    dues.map(({ needsPack }) => needsPack),
    ofKeys.map(({ key }) => key),
    ofKeys.map(({ credits }) => credits),
    ofKeys.map(({ limit }) => limit),
    monthOf(now),
    ...listsOf(sumColumns, sumChanges(rows.map((row) => [row, 1]))),
    ...[owner, number],
    ...listsOf(callRecord, rows),
  ]);
  if (paidRows.length === 0) return null;
  return balancesAfter(all, dues, new Map(paidRows.map(({ account, credits }) => [account, credits])));
}
