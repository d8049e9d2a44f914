import { postgresSchema } from '../../database/postgres/table-schema.js';
import type { SchemaSql } from '../../database/schema-sql.js';
import { ledgerSchema } from '../ledger-schema.js';

const { tables, ...schema } = postgresSchema(ledgerSchema);

/** The tables of the ledger, and of the nodes that charge in it. */
export const postgresLedgerSchema: SchemaSql = {
  ...schema,
  tables: `
    ${tables}
    -- The processes that charge calls. What one leaves behind is given back when it was not seen for a while.
    CREATE TABLE nodes (
      id text COLLATE "C" PRIMARY KEY,
      seen_at timestamptz NOT NULL DEFAULT now()
    );

    -- What a node has charged and has not heard of yet: a row for each of its commits, until it has.
    CREATE TABLE unheard_commits (
      node text COLLATE "C" NOT NULL,
      number bigint NOT NULL,
      calls text[] NOT NULL,
      made_at timestamptz NOT NULL DEFAULT clock_timestamp(),
      PRIMARY KEY (node, number)
    );
  `,
};
