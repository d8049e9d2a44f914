import { type FileHandle, open, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import { moveFile } from '../../../lib/runtime/move-file.js';
import { jsonOf } from '../../output/json-text.js';
import type { BatchFile } from './batch-file.js';
import { batchPaths, fileSize } from './batch-paths.js';
import { readCheckpoint } from './checkpoint.js';
import { readRange } from './failed-inputs.js';
import { type BatchFileOptions, type OpenMode, openBatchFile } from './open-batch-file.js';
import { outputFault } from './output-fault.js';

/** The lines of the last run appended to a text file, and the files that hold them until then. */
export const addedLines = (file: string) => `${file}.lines`;
const markFile = (file: string) => `${addedLines(file)}.added`;

/** What the last run appended, written before its first byte, so that a kill neither loses nor doubles a line. */
const mark = z.strictObject({ id: z.string(), at: z.int(), bytes: z.int(), done: z.boolean() });
type Mark = z.output<typeof mark>;

async function readMark(file: string): Promise<Mark | null> {
  const text = await readFile(markFile(file), 'utf8').catch(() => '');
  return mark.safeParse(jsonOf(text)).data ?? null;
}

async function writeMark(file: string, made: Mark): Promise<void> {
  const draft = `${markFile(file)}.new`;
  await writeFile(draft, JSON.stringify(made), { flush: true });
  await moveFile(draft, markFile(file));
}

const refusal = (message: string) => new ExtractError('invalid_parameter', message);

/** Throws if lines cannot be appended to a file: it has another header, or ends in the middle of a line. */
export async function requireAddable(file: string, head: string): Promise<void> {
  const size = await fileSize(file);
  if (size === null || size === 0) return;
  const chunks: Buffer[] = [];
  for await (const chunk of readRange(file, 0, Math.min(size, Buffer.byteLength(head)))) chunks.push(chunk);
  const name = path.basename(file);
  if (Buffer.concat(chunks).toString() !== head)
    throw refusal(`${name} has other columns than these results: add them to another file.`);
  let end = '';
  for await (const chunk of readRange(file, size - 1, size)) end = chunk.toString();
  if (end !== '\n') throw refusal(`${name} ends in the middle of a line: complete it first.`);
}

/** Returns the mode in which to open the lines of a run. Lines already appended make room for the next run's. */
async function modeToAdd(file: string, mode: OpenMode): Promise<OpenMode> {
  if (mode !== 'begin' && mode !== 'overwrite') return mode;
  const { output, checkpoint } = batchPaths(addedLines(file));
  const stored = await readCheckpoint(checkpoint, (await fileSize(output)) ?? 0);
  const added = await readMark(file);
  const isAdded = stored?.entry?.done === true && added?.done === true && added.id === stored.header.id;
  return isAdded ? 'overwrite' : mode;
}

/** Removes the lines of a run from a file again, to retry its failed inputs. Throws if others follow them. */
export async function withdrawLines(file: string, id: string): Promise<void> {
  const added = await readMark(file);
  if (added?.id !== id) return;
  const size = (await fileSize(file)) ?? 0;
  if (size > added.at + added.bytes)
    throw refusal(
      `${path.basename(file)} has lines behind those of this run: run its failed inputs into another file.`,
    );
  await writeMark(file, { ...added, done: false });
}

/** Opens the lines of a run that will be appended to a file. Throws as `openBatchFile` does, and for other columns. */
export async function openAdded(options: BatchFileOptions, head: string): Promise<BatchFile> {
  const { file, mode } = options;
  await requireAddable(file, head);
  const opened = await openBatchFile({
    ...options,
    file: addedLines(file),
    mode: await modeToAdd(file, mode),
  });
  return {
    ...opened,
    async close(done) {
      if (done && opened.retry !== undefined) await withdrawLines(file, opened.id);
      await opened.close(done);
    },
  };
}

/** Appends the complete lines of a run to a file, once. `head`: the beginning of a file, which occurs in it once. */
export async function addLines(file: string, id: string, head: string): Promise<void> {
  const lines = addedLines(file);
  const known = await readMark(file);
  if (known?.id === id && known.done) return;
  const at = known?.id === id ? known.at : ((await fileSize(file)) ?? 0);
  const from = at === 0 ? 0 : Buffer.byteLength(head);
  const bytes = ((await fileSize(lines)) ?? 0) - from;
  const added = { id, at, bytes, done: false };
  let handle: FileHandle | undefined;
  try {
    await writeMark(file, added);
    handle = await open(file, 'a+');
    await handle.truncate(at);
    for await (const chunk of readRange(lines, from, from + bytes)) await handle.appendFile(chunk);
    await handle.sync();
  } catch (error) {
    throw outputFault(error);
  } finally {
    await handle?.close();
  }
  await writeMark(file, { ...added, done: true });
}

/** Removes the lines of a run that have been appended, so that the next run begins its own. */
export async function removeAddedLines(file: string): Promise<void> {
  const { output, checkpoint } = batchPaths(addedLines(file));
  for (const one of [output, checkpoint, markFile(file)]) await rm(one, { force: true });
}
