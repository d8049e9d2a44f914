import type { Endpoint } from '../../../../lib/endpoint.js';
import { isoTime } from '../../../../lib/read/iso-time.js';
import { valueAt } from '../../../output/selection.js';
import { fieldsOf } from '../fields.js';
import { ParquetThread, type ReadingBounds } from './parquet-thread.js';
import type { ResultTable, TableRow } from './read-table.js';

/** Converts a value to JSON types. */
function plain(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof Date) return isoTime(value.getTime());
  if (Array.isArray(value)) return value.map(plain);
  if (value === null || typeof value !== 'object') return value ?? null;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plain(inner)]));
}

/**
 * Opens a Parquet file of results, whose columns have the objects' own nested types. It is read in a worker thread,
 * because a damaged page can keep its reader busy for ever.
 */
export async function openParquetTable(
  path: string,
  endpoint: Endpoint,
  bounds: ReadingBounds,
): Promise<ResultTable> {
  const opening = new ParquetThread(path, bounds);
  const file = await opening.file().finally(() => opening.close());
  const fields = fieldsOf(endpoint.returns).map(({ name }) => name);
  const columns = file.names.filter((name) => name !== 'own');
  const ownColumns = file.ownNames.map((name) => `own.${name}`);
  return {
    names: [...columns, ...ownColumns],
    async *rows(): AsyncGenerator<TableRow, void, undefined> {
      const thread = new ParquetThread(path, bounds);
      try {
        let from = 0;
        for (const count of file.groups) {
          const rows = await thread.rows([from, from + count]);
          for (const [at, row] of rows.entries()) {
            yield {
              position: `row ${from + at + 1}`,
              cells: () =>
                Object.fromEntries([
                  ...columns.map((name) => [name, plain(valueAt(row, name.split('.')))]),
                  ...ownColumns.map((name) => [name, valueAt(row, ['own', name.slice('own.'.length)])]),
                ]),
              item: Object.fromEntries(fields.map((name) => [name, plain(row[name])])),
            };
          }
          from += count;
        }
      } finally {
        await thread.close();
      }
    },
  };
}
