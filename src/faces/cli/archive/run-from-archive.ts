import { existsSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import path from 'node:path';
import { moveFile } from '../../../../lib/runtime/move-file.js';
import { SuppressedSubjects } from '../../../../lib/suppressions/suppressed-subjects.js';
import { readDatabaseConfig } from '../../../config/database-config.js';
import { ArchiveReader } from '../../../files/archive/archive-reader.js';
import { derivedLines } from '../../../files/archive/derived-lines.js';
import { openFault, writeFault } from '../../../files/batch-files/output-fault.js';
import type { WrittenFile } from '../bucket/object-file.js';
import { type Context, withExtractor } from '../context.js';
import { printable } from '../printable.js';
import { checkReplaceable } from '../replaceable-file.js';
import { withAccounts } from '../with-accounts.js';

export interface FromArchiveOptions {
  /** Null for the standard output. */
  readonly output: WrittenFile | null;
  readonly overwrite: boolean;
  readonly quiet: boolean;
}

/** Somewhere that lines go to. */
interface LineOutput {
  write(text: string): Promise<unknown>;
  /** `whole`: all lines are there. */
  end(whole: boolean): Promise<void>;
}

/** A file that is there once all of its lines are. */
async function fileOutput(file: string): Promise<LineOutput> {
  const draft = `${file}.part`;
  const handle = await open(draft, 'w').catch((cause: unknown) => {
    throw openFault(file, cause);
  });
  return {
    write: (text) =>
      handle.write(text).catch((cause: unknown) => {
        throw writeFault(cause);
      }),
    async end(whole) {
      await handle.close();
      if (whole) await moveFile(draft, file);
      else await rm(draft, { force: true });
    },
  };
}

/** The suppressed subjects of the data directory or database; null for none. */
async function suppressedHere(context: Context): Promise<SuppressedSubjects | null> {
  if (await withExtractor(context, {}, async ({ config }) => isNoStore(config.home))) return null;
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
  try {
    const target: LineOutput =
      output === null
        ? { write: (text) => stdout.write(text), end: async () => undefined }
        : await fileOutput(output.file);
    let whole = false;
    try {
      for await (const line of derivedLines(archive, endpoints, suppressed)) {
        signal.throwIfAborted();
        await target.write(line);
        count += 1;
      }
      whole = true;
    } finally {
      await target.end(whole);
    }
  } finally {
    await archive.close();
  }
  const lines = count === 1 ? '1 line' : `${count} lines`;
  if (!quiet && output !== null)
    await stderr.write(`${printable(output.shown)}: ${lines} from ${printable(file)}.\n`);
}
