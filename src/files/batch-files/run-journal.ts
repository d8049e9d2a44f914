import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import * as z from 'zod';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import type { Journal, JournalEntry } from '../../lines/step.js';
import { jsonOf } from '../../output/json-text.js';

const entry = z.looseObject({ index: z.int().min(0) });

/** Reads the entries of a journal for the inputs before an index; resolves with their size in bytes. */
async function readJournal(file: string, before: number, onKnown: (known: JournalEntry) => void) {
  let bytes = 0;
  if (before === 0) return bytes;
  try {
    for await (const line of createInterface({ input: createReadStream(file) })) {
      const { data } = entry.safeParse(jsonOf(line));
      if (data === undefined || data.index >= before) break;
      onKnown(data);
      bytes += Buffer.byteLength(line) + 1;
    }
  } catch (cause) {
    throw incompleteJournal(file, cause);
  }
  return bytes;
}

/** The error for a journal that does not say enough to resume its run. */
export const incompleteJournal = (file: string, cause?: unknown) =>
  new ExtractError(
    'invalid_parameter',
    `${file} does not have every input of the output next to it; --overwrite starts over.`,
    { cause },
  );

/**
 * Opens what a step must remember when its run is resumed. An entry is on disk before the line that it is about, so
 * everything that a checkpoint confirms is in it.
 */
export async function openJournal(
  file: string,
  reached: number,
  onKnown: (known: JournalEntry) => void,
): Promise<Journal> {
  const bytes = await readJournal(file, reached, onKnown);
  const handle = await open(file, 'a', 0o600);
  await handle.truncate(bytes);
  return {
    file,
    async add(added) {
      await handle.appendFile(`${JSON.stringify(added)}\n`);
      await handle.datasync();
    },
    close: () => handle.close(),
  };
}
