import { existsSync } from 'node:fs';
import path from 'node:path';
import { SuppressedSubjects } from '../../../../lib/suppressions/suppressed-subjects.js';
import { readDatabaseConfig } from '../../../config/database-config.js';
import { ArchiveReader } from '../../../files/archive/archive-reader.js';
import { derivedLines } from '../../../files/archive/derived-lines.js';
import type { WrittenFile } from '../bucket/object-file.js';
import { type Context, configOf } from '../context.js';
import { printable } from '../printable.js';
import { checkReplaceable } from '../replaceable-file.js';
import { withAccounts } from '../with-accounts.js';
import { writeWhole } from '../write-whole.js';

export interface FromArchiveOptions {
  /** Null for the standard output. */
  readonly output: WrittenFile | null;
  readonly overwrite: boolean;
  readonly quiet: boolean;
}

/** The suppressed subjects of the data directory or database; null for none. */
async function suppressedHere(context: Context): Promise<SuppressedSubjects | null> {
  if (isNoStore((await configOf(context)).home)) return null;
  const list = await withAccounts(context, (_, { suppressions }) => suppressions.list());
  return list.length === 0 ? null : new SuppressedSubjects(list);
}

const isNoStore = (home: string) =>
  readDatabaseConfig().database === undefined && !existsSync(path.join(home, 'ledger.db'));

/** Makes the results of an archive anew, as lines of a batch. */
export async function runFromArchive(
  context: Context,
  file: string,
  { output, overwrite, quiet }: FromArchiveOptions,
): Promise<void> {
  const { stdout, stderr, signal, endpoints } = context;
  if (output !== null) await checkReplaceable(output.file, overwrite);
  const suppressed = await suppressedHere(context);
  const archive = await ArchiveReader.open(file);
  let count = 0;
  async function* counted() {
    for await (const line of derivedLines(archive, endpoints, suppressed)) {
      signal.throwIfAborted();
      count += 1;
      yield line;
    }
  }
  try {
    if (output !== null) await writeWhole(output.file, counted());
    else for await (const line of counted()) await stdout.write(line);
  } finally {
    await archive.close();
  }
  const lines = count === 1 ? '1 line' : `${count} lines`;
  if (!quiet && output !== null)
    await stderr.write(`${printable(output.shown)}: ${lines} from ${printable(file)}.\n`);
}
