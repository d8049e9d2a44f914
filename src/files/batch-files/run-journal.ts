import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import * as z from 'zod';
import type { Journal } from '../../lines/step.js';
import { jsonOf } from '../../output/json-text.js';

const entry = z.strictObject({ index: z.int().min(0), texts: z.array(z.string()) });

/** Reads the entries of a journal for the inputs before an index, and their size in bytes. */
async function readJournal(file: string, before: number) {
  const texts: string[] = [];
  let bytes = 0;
  if (before === 0) return { texts, bytes };
  for await (const line of createInterface({ input: createReadStream(file) })) {
    const { data } = entry.safeParse(jsonOf(line));
    if (data === undefined || data.index >= before) break;
    texts.push(...data.texts);
    bytes += Buffer.byteLength(line) + 1;
  }
  return { texts, bytes };
}

/**
 * Opens what a step must remember when its run is resumed, in a file next to the output. An entry is on disk before the
 * line that it is about, so everything that a checkpoint confirms is in it.
 */
export async function openJournal(file: string, reached: number): Promise<Journal> {
  const { texts, bytes } = await readJournal(file, reached);
  const handle: FileHandle = await open(file, 'a', 0o600);
  await handle.truncate(bytes);
  return {
    known: texts,
    async add(index, added) {
      await handle.appendFile(`${JSON.stringify({ index, texts: added })}\n`);
      await handle.datasync();
    },
    close: () => handle.close(),
  };
}
