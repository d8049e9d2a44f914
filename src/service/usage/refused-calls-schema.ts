import { declareColumns, type RowOf } from '../../../lib/database/columns.js';
import type { TableSchema } from '../../../lib/database/table-schema.js';
import { requestColumns } from '../../../lib/ledger/call-row.js';

export const refusedColumns = { ...requestColumns, code: 'id' } as const;

export type RefusedRow = RowOf<typeof refusedColumns>;

/**
 * Calls that were refused before they were charged. `created_at` is in milliseconds since 1970. No money depends on
 * them: a crash of the database may lose all of them.
 */
export const refusedCallsSchema: TableSchema = {
  name: 'refused calls',
  tables: (types) => `
    CREATE ${types.unlogged} TABLE refused_calls (
      ${declareColumns(refusedColumns, types)},
      PRIMARY KEY (account, created_at, id)
    ) ${types.end};
  `,
  imports: { tables: [{ table: 'refused_calls' }] },
};
