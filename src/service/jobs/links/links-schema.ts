import type { Queries } from '../../../../lib/database/queries.js';
import type { TableSchema } from '../../../../lib/database/table-schema.js';

/**
 * Links that read one job or schedule. Of a token, only the digest and the first characters are stored. Times are
 * milliseconds since 1970.
 */
export const linksSchema: TableSchema = {
  name: 'links',
  tables: ({ id, integer, bytes, end }) => `
    CREATE TABLE shared_links (
      id ${id} PRIMARY KEY,
      account ${id} NOT NULL,
      subject ${id} NOT NULL,
      kind ${id} NOT NULL CHECK (kind IN ('feed', 'table')),
      digest ${bytes} NOT NULL UNIQUE,
      prefix ${id} NOT NULL,
      created_at ${integer} NOT NULL,
      last_read_at ${integer}
    ) ${end};
    CREATE INDEX shared_links_of_subject ON shared_links (account, subject, id);
  `,
  imports: { tables: [{ table: 'shared_links' }] },
};

/** Ends the links to a schedule, inside the transaction that ends it. */
export async function forgetLinks(queries: Queries, account: string, subject: string): Promise<void> {
  await queries.run('DELETE FROM shared_links WHERE account = $1 AND subject = $2', [account, subject]);
}
