import { existsSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { CallSignal } from '../../../lib/runtime/abort.js';
import { moveFile } from '../../../lib/runtime/move-file.js';
import { ndjsonValues } from '../../output/ndjson-values.js';
import { select } from '../../output/selection.js';
import { type AnswerLine, answerOfLine } from './answer-lines.js';
import { collectParams } from './input-columns.js';
import { lock } from './lock.js';
import type { ResultFileOptions, ResultFileShape, ResultFileWriter } from './result-file.js';

async function openWriter(draft: string, options: ResultFileOptions): Promise<ResultFileWriter> {
  const { kind, endpoint, append = false, run, groupRows } = options;
  // Each kind loads its library on use.
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

/** A power failure must not leave the name on an incomplete file. */
async function syncFile(file: string): Promise<void> {
  const handle = await open(file, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Loads every kind, so that a server has them before it listens. */
export async function preloadFileKinds(): Promise<void> {
  await Promise.all([
    import('./sqlite/sqlite-file.js'),
    import('./parquet/parquet-file.js'),
    import('./xlsx/xlsx-file.js'),
    import('./text-formats.js'),
  ]);
}

/** A file being written next to its final position. */
export interface DraftFile {
  readonly writer: ResultFileWriter;
  /** Completes it on disk and moves it into place. */
  commit(): Promise<void>;
  /** Discards it; an existing file stays. */
  discard(): Promise<void>;
}

/**
 * Opens a draft, which replaces the file once it is complete; overwrites the draft of a killed process. Only a database
 * that is appended to is changed in place, in one transaction. Throws `invalid_parameter` while another process writes
 * the file.
 */
export async function openDraft(options: ResultFileOptions): Promise<DraftFile> {
  const { file } = options;
  // A missing file cannot be appended to, so it is a draft, too.
  const append = options.append === true && existsSync(file);
  const draft = append ? file : `${file}.new`;
  // Two processes sharing a draft could move half of one into place.
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
        await writer.end(true);
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

/** Milliseconds of work before yielding to the event loop. */
const turnMs = 2;

type ReadLines = () => AsyncIterable<Uint8Array>;

/** Adds lines of results to a writer, yielding in between. Throws the signal's reason. */
async function addLines(
  writer: ResultFileWriter,
  many: boolean,
  readLines: ReadLines,
  nextTurn: () => Promise<void>,
  signal?: CallSignal,
): Promise<void> {
  let position = 0;
  let began = performance.now();
  for await (const line of ndjsonValues<AnswerLine>(readLines())) {
    signal?.throwIfAborted();
    const wait = writer.add(answerOfLine(line, many, position));
    position += 1;
    if (wait !== undefined) await wait;
    if (performance.now() - began < turnMs) continue;
    await nextTurn();
    began = performance.now();
  }
}

/** The lines of an endpoint, and the columns of their sheets. */
export interface WorkbookPart extends ResultFileShape {
  readonly readLines: ReadLines;
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
    usedParams: await collectParams(ndjsonValues(parts[0].readLines())),
  });
  try {
    for (const [at, part] of parts.entries()) {
      if (at > 0)
        await writer.next?.({ ...part, usedParams: await collectParams(ndjsonValues(part.readLines())) });
      await addLines(writer, part.endpoint.many, part.readLines, () => setImmediate(), signal);
    }
  } catch (error) {
    await discard();
    throw error;
  }
  await commit();
}

/** Writes a complete file from lines of results, yielding in between. Throws the signal's reason. */
export async function writeFromLines(
  options: ResultFileOptions,
  readLines: ReadLines,
  signal?: CallSignal,
  nextTurn: () => Promise<void> = () => setImmediate(),
): Promise<void> {
  // People scroll through sheets; programs want the same columns in every file.
  const usedParams = options.kind === 'xlsx' ? await collectParams(ndjsonValues(readLines())) : undefined;
  const { writer, commit, discard } = await openDraft({ ...options, usedParams });
  try {
    await addLines(writer, options.endpoint.many, readLines, nextTurn, signal);
  } catch (error) {
    await discard();
    throw error;
  }
  await commit();
}

export { countRuns, forgetRun, hasRun } from './sqlite/runs.js';

/** Creates a database with the empty tables of a run, if there is none. */
export async function makeDatabase(file: string, shape: ResultFileShape): Promise<void> {
  if (!existsSync(file)) await (await import('./sqlite/sqlite-file.js')).makeTables(file, shape);
}
