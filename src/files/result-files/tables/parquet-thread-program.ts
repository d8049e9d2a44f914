// The Parquet thread: reads a file of results, one group of rows per message. A damaged page can keep the package busy
// for ever or fill the memory, and then the thread is ended.
import { parentPort, workerData } from 'node:worker_threads';
import {
  asyncBufferFromFile,
  type FileMetaData,
  parquetMetadataAsync,
  parquetReadObjects,
  parquetSchema,
  type SchemaTree,
  snappyUncompress,
} from 'hyparquet';
import type { ParquetAnswer, ParquetFile, ParquetRow, RowRange } from './parquet-thread.js';

/** A group is read into memory completely. */
const [maxRows, maxBytes] = [2_000_000, 1024 * 1024 * 1024];

/** Unpacks a page to the size it claims. */
function unpacked(packed: Uint8Array, size: number): Uint8Array {
  // The format expands three bytes to 64 at most.
  if (size > 32 * packed.length + 64) throw new Error('one of its pages claims an impossible size');
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
 * unexpected one would cause an unhandled rejection, which ends the thread.
 */
function checkColumns({ row_groups: groups }: FileMetaData, schema: SchemaTree): void {
  const expected = leavesOf(schema).sort().join('\n');
  for (const { columns } of groups) {
    const paths = columns.map(({ meta_data: one }) => (one?.path_in_schema ?? []).join('.'));
    if (paths.sort().join('\n') !== expected) throw new Error('its columns do not match its schema');
  }
}

interface OpenFile extends ParquetFile {
  rowsOf(range: RowRange): Promise<ParquetRow[]>;
}

/** Opens a file. Throws if it is not Parquet, or if a group of its rows would fill the memory. */
async function open(path: string): Promise<OpenFile> {
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
  const compressors = { SNAPPY: unpacked };
  const rowsOf = ([rowStart, rowEnd]: RowRange) =>
    parquetReadObjects({ file, metadata, rowStart, rowEnd, compressors }) as Promise<ParquetRow[]>;
  const groups = metadata.row_groups.map(({ num_rows: rows }) => Number(rows));
  const [first] = groups.length === 0 ? [] : await rowsOf([0, 1]);
  const ownNames = Object.keys((first?.own as ParquetRow | null | undefined) ?? {});
  return { names: schema.children.flatMap(namesOf), ownNames, groups, rowsOf };
}

const opened = open(String(workerData));
parentPort?.on('message', async (range: RowRange | null) => {
  let answer: ParquetAnswer;
  try {
    const { rowsOf, ...file } = await opened;
    answer = { value: range === null ? file : await rowsOf(range) };
  } catch (error) {
    answer = { error: (error as Error).message };
  }
  parentPort?.postMessage(answer);
});
