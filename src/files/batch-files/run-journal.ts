import { type FileHandle, open, readFile } from 'node:fs/promises';
import * as z from 'zod';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import type { Journal, JournalEntry } from '../../lines/step.js';
import { jsonOf } from '../../output/json-text.js';

const entry = z.looseObject({ index: z.int().min(0) });

/** Reads the entries of a journal for the inputs before an index, and their size in bytes. */
async function readJournal(file: string, before: number) {
  const entries: JournalEntry[] = [];
  let bytes = 0;
  if (before === 0) return { entries, bytes };
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw incompleteJournal(file, cause);
  });
  for (const line of text.split('\n')) {
    const { data } = entry.safeParse(jsonOf(line));
    if (data === undefined || data.index >= before) break;
    entries.push(data);
    bytes += Buffer.byteLength(line) + 1;
  }
  return { entries, bytes };
}

/** The error for a journal that does not say enough to resume its run. */
export const incompleteJournal = (file: string, cause?: unknown) =>
  new ExtractError(
    'invalid_parameter',
    `${file} does not have every input of the output next to it; --overwrite starts over.`,
    { cause },
  );

/**
 * Opens what a step must remember when its run is resumed, in a file next to the output. An entry is on disk before the
 * line that it is about, so everything that a checkpoint confirms is in it.
 */
export async function openJournal(file: string, reached: number): Promise<Journal> {
  const { entries, bytes } = await readJournal(file, reached);
  const handle: FileHandle = await open(file, 'a', 0o600);
  await handle.truncate(bytes);
  return {
    file,
    known: entries,
    async add(added) {
      await handle.appendFile(`${JSON.stringify(added)}\n`);
      await handle.datasync();
    },
    close: () => handle.close(),
  };
}
