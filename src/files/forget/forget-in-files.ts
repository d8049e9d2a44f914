import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import { fileFault, StorageError } from '../../../lib/errors/storage-error.js';
import type { Clock } from '../../../lib/runtime/clock.js';
import { moveFile } from '../../../lib/runtime/move-file.js';
import type { Traces } from '../../../lib/suppressions/traces.js';
import { unfinishedName } from '../archive/archive-writer.js';
import { forgetInArchive } from '../archive/forget-in-archive.js';
import { folderIndexes, forgetInFolder } from './forget-in-folder.js';
import { forgetInLines, forgetInTable, jsonWithout } from './forget-in-text-file.js';
import { type Forgotten, notReached, reached } from './forgotten.js';

const packed =
  'It cannot be written without the subject: delete it, or make it anew where it may name the subject.';
const foreign =
  'Another program wrote or saved it: delete it, or make it anew where it may name the subject.';
const unclosed =
  'One of its quotes is never closed, so nobody can tell its rows apart: take out those of the subject.';
const other = 'It names the subject, and is of no kind that is written anew: delete it.';

const tooLarge = 'It is larger than 256 MB, and was not searched: look through it yourself.';

/** Bytes of a text file that are searched at most. */
const maxText = 256 * 1024 * 1024;

const isTooLarge = async (file: string) => (await stat(file)).size > maxText;

/** What became of a file that could not be gone through. Throws any fault that is not the file's. */
function failed(file: string, cause: unknown): Forgotten {
  const { code } = cause as NodeJS.ErrnoException;
  if (cause instanceof ExtractError && (cause.type === 'invalid_request' || cause instanceof StorageError))
    return notReached(file, `${cause.message} It stays as it was.`);
  if (fileFault(cause) === 'failed') throw cause;
  return notReached(file, `It cannot be read and written (${code}), and stays as it was.`);
}

async function forgetInJson(file: string, traces: Traces): Promise<Forgotten | null> {
  if (await isTooLarge(file)) return notReached(file, tooLarge);
  const text = await readFile(file, 'utf8');
  if (!traces.in(text)) return null;
  const rest = jsonWithout(text, traces);
  if (rest === undefined) return notReached(file, other);
  if (rest === null) return notReached(file, 'All of it is about the subject: delete it.');
  await writeFile(`${file}.forget`, rest, { mode: (await stat(file)).mode & 0o777, flush: true });
  await moveFile(`${file}.forget`, file);
  return reached(file, 1);
}

const leftOfArchive = unfinishedName('');

/** Takes a subject out of an archive. One that cannot be read, or that a process writes, is not touched. */
async function inArchive(file: string, traces: Traces, clock: Clock): Promise<Forgotten> {
  try {
    const records = await forgetInArchive(file, traces, clock);
    return reached(file, records, 'Records of the archive, whose digest is another one now.');
  } catch (error) {
    if (error instanceof ExtractError && error.code === 'invalid_parameter')
      return notReached(file, `${error.message} It stays as it was.`);
    throw error;
  }
}

/** Takes the rows that name a subject out of a file that is written whole, of this program alone. */
async function inBuiltFile(
  file: string,
  rewrite: (file: string, draft: string, isGone: (text: string) => boolean) => Promise<number | null>,
  traces: Traces,
): Promise<Forgotten> {
  const draft = `${file}.forget`;
  try {
    const removed = await rewrite(file, draft, (text) => traces.in(text));
    if (removed === null) return notReached(file, foreign);
    if (removed > 0) await moveFile(draft, file);
    return reached(file, removed);
  } finally {
    await rm(draft, { force: true });
  }
}

const counted = async (file: string, work: Promise<number>): Promise<Forgotten> => reached(file, await work);

export interface ForgetOptions {
  /** The data directory, whose files belong together and are not gone through one by one. */
  readonly home: string | undefined;
  readonly clock: Clock;
  /** Takes a subject out of a database file, and gives how many rows it were. */
  readonly forgetInDatabase: (file: string, traces: Traces) => Promise<number>;
}

/** Takes a subject out of a file; null for a file that names nobody. */
async function forgetInFile(
  file: string,
  traces: Traces,
  { forgetInDatabase, clock }: ForgetOptions,
): Promise<Forgotten | null> {
  if (folderIndexes.has(path.basename(file))) return counted(file, forgetInFolder(file, traces));
  switch (path.extname(file).toLowerCase()) {
    case '.ndjson':
    case '.jsonl':
      return counted(file, forgetInLines(file, traces));
    case '.csv':
    case '.tsv': {
      const removed = await forgetInTable(file, traces);
      return removed === null ? notReached(file, unclosed) : reached(file, removed);
    }
    case '.sqlite':
    case '.sqlite3':
    case '.db':
      return counted(file, forgetInDatabase(file, traces));
    case '.json':
      return forgetInJson(file, traces);
    case '.wacz':
      return inArchive(file, traces, clock);
    case '.gz':
      // A killed run left it; it belongs to the archive of that name.
      return file.endsWith(leftOfArchive)
        ? inArchive(file.slice(0, -leftOfArchive.length), traces, clock)
        : notReached(file, packed);
    case '.xlsx': {
      const { rewriteXlsx } = await import('../result-files/xlsx/rewrite-xlsx.js');
      return inBuiltFile(file, rewriteXlsx, traces);
    }
    case '.parquet': {
      const { rewriteParquet } = await import('../result-files/parquet/rewrite-parquet.js');
      return inBuiltFile(file, rewriteParquet, traces);
    }
    case '.warc':
    case '.zip':
      return notReached(file, packed);
    default: {
      if (await isTooLarge(file)) return notReached(file, tooLarge);
      return traces.in(await readFile(file, 'utf8')) ? notReached(file, other) : null;
    }
  }
}

/** Files of a folder, those of folders in it included; an index comes before what it names. */
async function filesOf(start: string): Promise<readonly string[]> {
  const found = await stat(start).catch((cause: unknown) => {
    throw new ExtractError('invalid_parameter', `There is no file ${start}.`, { cause });
  });
  if (!found.isDirectory()) return [start];
  const entries = await readdir(start, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
  const rank = (file: string) => (folderIndexes.has(path.basename(file)) ? 0 : 1);
  return files.sort((one, two) => rank(one) - rank(two) || one.localeCompare(two));
}

/** Takes a subject out of files and folders of the user's own. */
export async function forgetInFiles(
  starts: readonly string[],
  traces: Traces,
  options: ForgetOptions,
): Promise<readonly Forgotten[]> {
  const { home } = options;
  const own = home === undefined ? null : `${path.resolve(home)}${path.sep}`;
  const receipt: Forgotten[] = [];
  // Before any of them is changed: a receipt tells of all that was.
  const lists = await Promise.all(starts.map(filesOf));
  for (const files of lists) {
    for (const file of files) {
      if (own !== null && path.resolve(file).startsWith(own)) continue;
      // One that went with its line is there no more.
      if ((await stat(file).catch(() => null)) === null) continue;
      const forgotten = await forgetInFile(file, traces, options).catch((cause) => failed(file, cause));
      if (forgotten !== null && forgotten.removed !== 0) receipt.push(forgotten);
    }
  }
  return receipt;
}
