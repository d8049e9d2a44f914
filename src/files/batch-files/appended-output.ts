import { type FileHandle, open, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import * as z from 'zod';
import { invalidParameter } from '../../../lib/errors/extract-error.js';
import { moveFile } from '../../../lib/runtime/move-file.js';
import { jsonOf } from '../../output/json-text.js';
import { batchPaths, fileSize } from './batch-paths.js';
import { readRange } from './failed-inputs.js';
import { outputFault } from './output-fault.js';
import type { BuiltFile } from './run-sink.js';

/** The lines of the last run, which are appended to a text file when complete. */
export const addedLines = (file: string) => `${file}.lines`;
const markFile = (file: string) => `${addedLines(file)}.added`;

/** What the last run appended. Written before its first byte, so that a kill neither loses nor doubles a line. */
const mark = z.strictObject({ id: z.string(), at: z.int(), bytes: z.int(), done: z.boolean() });
type Mark = z.output<typeof mark>;

async function readMark(file: string): Promise<Mark | null> {
  const text = await readFile(markFile(file), 'utf8').catch(() => '');
  return mark.safeParse(jsonOf(text)).data ?? null;
}

async function writeMark(file: string, mark: Mark): Promise<void> {
  const draft = `${markFile(file)}.new`;
  await writeFile(draft, JSON.stringify(mark), { flush: true });
  await moveFile(draft, markFile(file));
}

/** Returns a header without the prefixes that earlier releases wrote before every parameter and own column. */
const withoutPrefixes = (header: string) => header.replace(/(^\uFEFF?|[,;\t"])(?:own|input)\./g, '$1');

/** Throws if lines cannot be appended to a file: its header differs, or it ends in the middle of a line. */
export async function requireAddable(file: string, head: string): Promise<void> {
  const lastMark = await readMark(file);
  // Rows that a killed process added in part are added again.
  const size = lastMark?.done === false ? lastMark.at : await fileSize(file);
  if (size === null || size === 0) return;
  const atMost = Buffer.byteLength(head) + 'input.'.length * head.split(/[,;\t]/).length;
  const name = path.basename(file);
  const beginning = (await buffer(readRange(file, 0, Math.min(size, atMost)))).toString();
  if (!beginning.startsWith(head) && !withoutPrefixes(beginning).startsWith(withoutPrefixes(head)))
    throw invalidParameter(`${name} does not have the columns of these results: append to another file.`);
  if ((await buffer(readRange(file, size - 1, size))).toString() !== '\n')
    throw invalidParameter(`${name} ends in the middle of a line: complete it first.`);
}

/** Removes a run's lines from a file, to retry its failed inputs. Throws if other lines follow. */
export async function withdrawLines(file: string, id: string): Promise<void> {
  const lastMark = await readMark(file);
  if (lastMark?.id !== id) return;
  const size = (await fileSize(file)) ?? 0;
  if (size > lastMark.at + lastMark.bytes)
    throw invalidParameter(
      `${path.basename(file)} has lines after this run’s: write the failed inputs to another file.`,
    );
  await writeMark(file, { ...lastMark, done: false });
}

/** Returns a text file to which runs append their lines. */
export const addedFile = (file: string, head: string): BuiltFile => ({
  ...{ file, lines: addedLines(file), adds: true },
  check: () => requireAddable(file, head),
  async has(id) {
    const lastMark = await readMark(file);
    return lastMark?.id === id && lastMark.done;
  },
  withdraw: (id) => withdrawLines(file, id),
  make: (id) => addLines(file, id, head),
});

/** Appends the complete lines of a run to a file, once. `head` is the header, which a file has once. */
export async function addLines(file: string, id: string, head: string): Promise<void> {
  const lines = addedLines(file);
  const mark = await readMark(file);
  if (mark?.id === id && mark.done) return;
  const at = mark?.id === id ? mark.at : ((await fileSize(file)) ?? 0);
  const from = at === 0 ? 0 : Buffer.byteLength(head);
  const bytes = ((await fileSize(lines)) ?? 0) - from;
  const newMark = { id, at, bytes, done: false };
  let handle: FileHandle | undefined;
  try {
    await writeMark(file, newMark);
    handle = await open(file, 'a+');
    await handle.truncate(at);
    for await (const chunk of readRange(lines, from, from + bytes)) await handle.appendFile(chunk);
    await handle.sync();
  } catch (error) {
    throw outputFault(error);
  } finally {
    await handle?.close();
  }
  await writeMark(file, { ...newMark, done: true });
}

/** Removes the separate file of lines that have been appended, so that the next run starts its own. */
export async function removeAddedLines(file: string): Promise<void> {
  const { output, checkpoint } = batchPaths(addedLines(file));
  for (const one of [output, checkpoint, markFile(file)]) await rm(one, { force: true });
}
