import { createReadStream } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import * as z from 'zod';
import { invalidParameter } from '../../../lib/errors/extract-error.js';
import type { Journal, JournalEntry } from '../../lines/step.js';
import { ndjsonValues } from '../../output/ndjson-values.js';

const entry = z.looseObject({ index: z.int().min(0) });

const lineOf = (value: unknown) => `${JSON.stringify(value)}\n`;

/** Reads the entries for inputs before an index; resolves with their size in bytes. */
async function readJournal(
  file: string,
  before: number,
  onKnown: (entry: JournalEntry) => void,
  isOptional: boolean,
) {
  let bytes = 0;
  if (before === 0) return bytes;
  try {
    // A killed process may have truncated the last line.
    for await (const value of ndjsonValues(createReadStream(file), { strict: false })) {
      const { data } = entry.safeParse(value);
      if (data === undefined || data.index >= before) break;
      onKnown(data);
      bytes += Buffer.byteLength(lineOf(value));
    }
  } catch (cause) {
    if (isOptional && (cause as NodeJS.ErrnoException).code === 'ENOENT') return 0;
    throw incompleteJournal(file, cause);
  }
  return bytes;
}

export const incompleteJournal = (file: string, cause?: unknown) =>
  invalidParameter(`${file} lacks inputs of the output next to it; --overwrite starts over.`, { cause });

/**
 * Opens what a step must remember across a resumed run. An entry is on disk before its line is written, so it exists
 * for everything that a checkpoint confirms. `isOptional`: a missing file has no entries, instead of being refused.
 */
export async function openJournal(
  file: string,
  writtenInputs: number,
  onKnown: (entry: JournalEntry) => void,
  isOptional = false,
): Promise<Journal> {
  const bytes = await readJournal(file, writtenInputs, onKnown, isOptional);
  const handle = await open(file, 'a', 0o600);
  await handle.truncate(bytes);
  return {
    file,
    async add(added) {
      await handle.appendFile(lineOf(added));
      await handle.datasync();
    },
    remove: () => rm(file, { force: true }),
    close: () => handle.close(),
  };
}
