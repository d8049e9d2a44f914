import { createHash } from 'node:crypto';
import { open, stat } from 'node:fs/promises';
import { type AsyncBuffer, asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import { ParquetWriter } from 'hyparquet-writer';
import { createdBy, FileBytes, maxGroupRows } from './parquet-file.js';

type Row = Readonly<Record<string, unknown>>;

/** A row as JSON, with moments and numbers of any length. */
const rowText = (row: Row) =>
  JSON.stringify(row, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));

/** The rows of a file, a bounded number at once. */
async function* groupsOf(file: AsyncBuffer): AsyncGenerator<readonly Row[], void, undefined> {
  const metadata = await parquetMetadataAsync(file);
  const count = Number(metadata.num_rows);
  for (let rowStart = 0; rowStart < count; rowStart += maxGroupRows) {
    const rowEnd = Math.min(count, rowStart + maxGroupRows);
    yield await parquetReadObjects({ file, metadata, rowStart, rowEnd, geoparquet: false });
  }
}

async function digestOf(file: string): Promise<string> {
  const digest = createHash('sha256');
  for await (const rows of groupsOf(await asyncBufferFromFile(file)))
    for (const row of rows) digest.update(`${rowText(row)}\n`);
  return digest.digest('hex');
}

/**
 * Writes a Parquet file of this program anew, without the rows whose text `isGone`, and gives how many those are. Null where
 * another program wrote it, and where its rows cannot be read back from the draft as they are.
 */
export async function rewriteParquet(
  file: string,
  draft: string,
  isGone: (text: string) => boolean,
): Promise<number | null> {
  const source = await asyncBufferFromFile(file);
  const to = await open(draft, 'w', (await stat(file)).mode & 0o777);
  try {
    const metadata = await parquetMetadataAsync(source).catch(() => null);
    if (metadata?.created_by?.startsWith(createdBy('')) !== true) return null;
    const { schema, created_by } = metadata;
    const writer = new ParquetWriter({ writer: new FileBytes(to), schema, createdBy: created_by });
    const remaining = createHash('sha256');
    let removed = 0;
    for await (const rows of groupsOf(source)) {
      const rest = rows.filter((row) => {
        const text = rowText(row);
        const goes = isGone(text);
        if (!goes) remaining.update(`${text}\n`);
        return !goes;
      });
      removed += rows.length - rest.length;
      const [first] = rest;
      if (first !== undefined) {
        const columnData = Object.keys(first).map((name) => ({ name, data: rest.map((row) => row[name]) }));
        await writer.write({ columnData, rowGroupSize: maxGroupRows });
      }
    }
    await writer.finish();
    await to.sync();
    return (await digestOf(draft)) === remaining.digest('hex') ? removed : null;
  } finally {
    await to.close();
  }
}
