import {
  asyncBufferFromFile,
  type FileMetaData,
  parquetMetadataAsync,
  parquetReadObjects,
  parquetSchema,
  type SchemaTree,
  snappyUncompress,
} from 'hyparquet';
import type { Endpoint } from '../../../../lib/endpoint.js';
import { isoTime } from '../../../../lib/read/iso-time.js';
import { valueAt } from '../../../output/selection.js';
import { fieldsOf } from '../fields.js';
import type { ResultTable, TableRow } from './read-table.js';

/** A group is read into memory completely. */
const [maxRows, maxBytes] = [2_000_000, 1024 * 1024 * 1024];

type Row = Readonly<Record<string, unknown>>;

/** Unpacks a page to the size it claims. */
function unpacked(packed: Uint8Array, size: number): Uint8Array {
  // The format expands three bytes to 64 at most.
  if (size > 32 * packed.length + 64) throw new Error('a page of it says that it is larger than it can be');
  const page = new Uint8Array(size);
  snappyUncompress(packed, page);
  return page;
}

/** Returns the column names of a schema; a list is one column. */
function namesOf({ children, path, element }: SchemaTree): string[] {
  const isList = element.converted_type === 'LIST';
  return children.length === 0 || isList ? [path.join('.')] : children.flatMap(namesOf);
}

/** Returns the paths of the leaf columns. */
const leavesOf = ({ children, path }: SchemaTree): string[] =>
  children.length === 0 ? [path.join('.')] : children.flatMap(leavesOf);

/**
 * Throws unless each row group has each column of the schema once. The package reads all columns of a group, and an
 * unexpected one would cause an unhandled rejection, which ends the process.
 */
function checkColumns({ row_groups: groups }: FileMetaData, schema: SchemaTree): void {
  const expected = leavesOf(schema).sort().join('\n');
  for (const { columns } of groups) {
    const paths = columns.map(({ meta_data: one }) => (one?.path_in_schema ?? []).join('.'));
    if (paths.sort().join('\n') !== expected) throw new Error('its columns are not those of its schema');
  }
}

/** Converts a value to JSON types. */
function plain(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof Date) return isoTime(value.getTime());
  if (Array.isArray(value)) return value.map(plain);
  if (value === null || typeof value !== 'object') return value ?? null;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plain(inner)]));
}

/** Opens a Parquet file of results, whose columns have the objects' nested types. */
export async function openParquetTable(path: string, endpoint: Endpoint): Promise<ResultTable> {
  const file = await asyncBufferFromFile(path);
  const metadata = await parquetMetadataAsync(file);
  for (const { num_rows: rows, total_byte_size: bytes, columns } of metadata.row_groups) {
    const values = columns.reduce(
      (most, { meta_data: one }) => Math.max(most, Number(one?.num_values ?? 0)),
      0,
    );
    const unpacked = columns.reduce(
      (sum, { meta_data: one }) => sum + Number(one?.total_uncompressed_size ?? 0),
      0,
    );
    if (Number(rows) > maxRows || values > 10 * maxRows || Math.max(Number(bytes), unpacked) > maxBytes)
      throw new Error('a group of its rows takes more than 1 GB of memory');
  }
  const schema = parquetSchema(metadata);
  checkColumns(metadata, schema);
  const fields = fieldsOf(endpoint.returns).map(({ name }) => name);
  const groups: readonly (readonly [from: number, to: number])[] = metadata.row_groups.map((_, at) => {
    const from = metadata.row_groups.slice(0, at).reduce((sum, { num_rows }) => sum + Number(num_rows), 0);
    return [from, from + Number(metadata.row_groups[at]?.num_rows)];
  });
  const rowsOf = (rowStart: number, rowEnd: number) =>
    parquetReadObjects({ file, metadata, rowStart, rowEnd, compressors: { SNAPPY: unpacked } }) as Promise<
      Row[]
    >;
  const [first] = groups.length === 0 ? [] : await rowsOf(0, 1);
  const ownColumns = Object.keys((first?.own as Row | null | undefined) ?? {}).map((name) => `own.${name}`);
  const names = schema.children.flatMap(namesOf).filter((name) => name !== 'own');
  return {
    names: [...names, ...ownColumns],
    async *rows(): AsyncGenerator<TableRow, void, undefined> {
      for (const [from, to] of groups) {
        for (const [at, row] of (await rowsOf(from, to)).entries()) {
          yield {
            place: `row ${from + at + 1}`,
            cells: () =>
              Object.fromEntries([
                ...names.map((name) => [name, plain(valueAt(row, name.split('.')))]),
                ...ownColumns.map((name) => [name, valueAt(row, ['own', name.slice('own.'.length)])]),
              ]),
            item: Object.fromEntries(fields.map((name) => [name, plain(row[name])])),
          };
        }
      }
    },
  };
}
