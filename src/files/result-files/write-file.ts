import { existsSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { CallSignal } from '../../../lib/runtime/abort.js';
import { moveFile } from '../../../lib/runtime/move-file.js';
import { select } from '../../output/selection.js';
import { answerOfLine, inputsOfLines, textLines } from './answer-lines.js';
import { givenParams } from './input-columns.js';
import { lock } from './lock.js';
import type { ResultFileOptions, ResultFileShape, ResultFileWriter } from './result-file.js';

async function openWriter(draft: string, options: ResultFileOptions): Promise<ResultFileWriter> {
  const { kind, endpoint, append = false, run, groupRows } = options;
  // Each kind loads its library when it is used.
  switch (kind) {
    case 'sqlite':
      return (await import('./sqlite/sqlite-file.js')).openSqliteFile(draft, options, run, append);
    case 'parquet':
      return (await import('./parquet/parquet-file.js')).openParquetFile(draft, options, groupRows);
    case 'xlsx': {
      const selection = options.selection ?? select(endpoint.returns, endpoint.many, null);
      return (await import('./xlsx/xlsx-file.js')).openXlsxFile(draft, options, selection);
    }
    case 'csv':
    case 'tsv':
    case 'json':
    case 'ndjson':
      return (await import('./text-formats.js')).openTextFormat(draft, options, kind);
  }
}

/** Waits until a file is on the disk: its name must not come to stand for half of it. */
async function syncFile(file: string): Promise<void> {
  const handle = await open(file, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Loads what every kind needs: a server has it all before it listens. */
export async function preloadFileKinds(): Promise<void> {
  await Promise.all([
    import('./sqlite/sqlite-file.js'),
    import('./parquet/parquet-file.js'),
    import('./xlsx/xlsx-file.js'),
    import('./text-formats.js'),
  ]);
}

/** A file that is being written beside the place that it will take. */
export interface DraftFile {
  readonly writer: ResultFileWriter;
  /** Completes it, on the disk, in its place. */
  commit(): Promise<void>;
  /** Gives it up; what stood in its place stays. */
  discard(): Promise<void>;
}

/**
 * Opens a draft, which takes the place of the file once it is complete. A draft that a killed process left is written
 * anew. Only a database that is added to is changed in place, all of the run or nothing. Throws `invalid_parameter` while
 * another process writes the same file.
 */
export async function openDraft(options: ResultFileOptions): Promise<DraftFile> {
  const { file } = options;
  // A file that does not exist cannot be appended to, so it is a draft, too.
  const append = options.append === true && existsSync(file);
  const draft = append ? file : `${file}.new`;
  // Two who shared a draft would put half of one in the place of the file.
  const unlock = append ? () => undefined : await lock(`${draft}.lock`, path.basename(file));
  const remove = async () => {
    try {
      if (!append) await rm(draft, { force: true });
    } finally {
      unlock();
    }
  };
  const begin = async () => {
    if (!append) await rm(draft, { force: true });
    return openWriter(draft, { ...options, append });
  };
  const writer = await begin().catch(async (cause: unknown) => {
    await remove();
    throw cause;
  });
  return {
    writer,
    async commit() {
      try {
        await writer.end();
      } catch (error) {
        await remove();
        throw error;
      }
      try {
        if (append) return;
        await syncFile(draft);
        await moveFile(draft, file);
      } finally {
        unlock();
      }
    },
    async discard() {
      try {
        await writer.abort();
      } finally {
        await remove();
      }
    },
  };
}

/** Characters of lines that are written in one turn of the loop: some 2 ms of work. */
const turnLength = 8 * 1024;

/** Lines of results, from the first on. */
type ReadLines = () => AsyncIterable<Uint8Array>;

/** Adds lines of results to a writer, in turns with others. Throws the signal's reason. */
async function addLines(
  writer: ResultFileWriter,
  many: boolean,
  read: ReadLines,
  nextTurn: () => Promise<void>,
  signal?: CallSignal,
): Promise<void> {
  let position = 0;
  let untilTurn = turnLength;
  for await (const lines of textLines(read())) {
    signal?.throwIfAborted();
    for (const line of lines) {
      const wait = writer.add(answerOfLine(line, many, position));
      position += 1;
      untilTurn -= line.length;
      if (wait !== undefined) await wait;
      if (untilTurn > 0) continue;
      untilTurn = turnLength;
      await nextTurn();
    }
  }
}

/** The lines of an endpoint, and the columns of their sheets. */
export interface WorkbookPart extends ResultFileShape {
  readonly read: ReadLines;
}

/** Writes one workbook with the sheets of several endpoints. Throws the signal's reason. */
export async function writeWorkbook(
  file: string,
  run: ResultFileOptions['run'],
  parts: readonly [WorkbookPart, ...WorkbookPart[]],
  signal?: CallSignal,
): Promise<void> {
  const { writer, commit, discard } = await openDraft({
    ...{ ...parts[0], kind: 'xlsx', file, run },
    given: await givenParams(inputsOfLines(parts[0].read())),
  });
  try {
    for (const [at, part] of parts.entries()) {
      if (at > 0) await writer.next?.({ ...part, given: await givenParams(inputsOfLines(part.read())) });
      await addLines(writer, part.endpoint.many, part.read, () => setImmediate(), signal);
    }
  } catch (error) {
    await discard();
    throw error;
  }
  await commit();
}

/** Writes a whole file from lines of results, in turns with others. Throws the signal's reason. */
export async function writeFromLines(
  options: ResultFileOptions,
  read: ReadLines,
  signal?: CallSignal,
  nextTurn: () => Promise<void> = () => setImmediate(),
): Promise<void> {
  // People scroll through sheets; programs want the same columns in every file.
  const given = options.kind === 'xlsx' ? await givenParams(inputsOfLines(read())) : undefined;
  const { writer, commit, discard } = await openDraft({ ...options, given });
  try {
    await addLines(writer, options.endpoint.many, read, nextTurn, signal);
  } catch (error) {
    await discard();
    throw error;
  }
  await commit();
}

/** Databases remember which runs are in them. */
export { countRuns, forgetRun, hasRun } from './sqlite/runs.js';

/** Makes a database with the empty tables of a run, where there is none. */
export async function makeDatabase(file: string, shape: ResultFileShape): Promise<void> {
  if (!existsSync(file)) await (await import('./sqlite/sqlite-file.js')).makeTables(file, shape);
}
