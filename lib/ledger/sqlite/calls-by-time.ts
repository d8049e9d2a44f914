import type { Database } from '../../database/sqlite/driver.js';
import { type CallFilters, type StoredUsageRow, usageColumns, usageRowOf } from '../call-row.js';
import type { UsageRow } from '../ledger.js';
import { filterConditions } from './usage.js';

/** A place among the calls of an account, newest first. */
export interface CallPlace {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly id: string;
}

/** Behind all ids. */
const last = '\u{10ffff}';

/**
 * Ended calls of an account, newest first, among so many of its rows. With `single` the rows of a large job are left
 * out. `reached` is where to go on, null at the end.
 */
export function callsByTime(
  db: Database,
  account: string,
  filters: CallFilters & { readonly limit: number; readonly single: boolean },
  {
    before = { at: Number.MAX_SAFE_INTEGER, id: last },
    rows: scanned,
  }: { before?: CallPlace | undefined; rows: number },
): { readonly rows: readonly UsageRow[]; readonly reached: CallPlace | null } {
  const edge = db
    .prepare<[string, number, string, number], CallPlace>(
      `SELECT created_at AS at, id FROM usage WHERE account = ? AND (created_at, id) < (?, ?)
       ORDER BY created_at DESC, id DESC LIMIT 1 OFFSET ?`,
    )
    .get(account, before.at, before.id, scanned - 1);
  const { conditions, values } = filterConditions(filters);
  const from = edge === undefined ? [] : ['(created_at, id) >= (?, ?)'];
  const single = filters.single ? ['job_id IS NULL'] : [];
  const rows = db
    .prepare<(string | number)[], StoredUsageRow>(
      `SELECT ${usageColumns} FROM usage
       WHERE ${['account = ?', '(created_at, id) < (?, ?)', ...from, `status <> 'pending'`, ...single, ...conditions].join(' AND ')}
       ORDER BY created_at DESC, id DESC LIMIT ?`,
    )
    .all(
      ...[account, before.at, before.id],
      ...(edge === undefined ? [] : [edge.at, edge.id]),
      ...values,
      filters.limit,
    )
    .map(usageRowOf);
  return { rows, reached: edge ?? null };
}
