import { createReadStream } from 'node:fs';
import { type FileHandle, open, writeFile } from 'node:fs/promises';
import * as z from 'zod';
import type { Answer } from '../../../lib/call/envelope.js';
import { type ExtractError, invalidParameter } from '../../../lib/errors/extract-error.js';
import { isRecord } from '../../../lib/read/json.js';
import { moveFile } from '../../../lib/runtime/move-file.js';
import { writeAt } from '../../../lib/runtime/write-at.js';
import { excelSeparators } from '../../output/csv-cells.js';
import { jsonOf } from '../../output/json-text.js';
import { outputKinds } from '../result-files/file-kind.js';
import { lookedUp } from './looked-up.js';
import type { LeftAnswers } from './output.js';
import type { Totals } from './totals.js';

const count = z.int().min(0);
const names = z.array(z.string()).readonly().default([]);

/** The identity of a batch, which a resumed run must share. */
const header = z.strictObject({
  extract_batch: z.literal(1),
  id: z.string().regex(/^batch_\w{1,64}$/),
  endpoint: z.string(),
  /** Options that determine the lines. */
  shape: z
    .object({
      output: z.enum(outputKinds),
      all: z.boolean(),
      flatten: z.boolean(),
      /** Lines appended to a database that holds others as well. */
      append: z.boolean().optional(),
      new: z.string().optional(),
      newCounts: z.boolean().optional(),
      /** The database of `--history`, which is updated before a line is written. */
      history: z.string().optional(),
      csvRaw: z.boolean().optional(),
      csvExcel: z.enum(excelSeparators).optional(),
      sources: z.boolean().optional(),
      map: z.string().optional(),
      set: z.string().optional(),
      /** The options of `extract maps grid` that determine its points; 0.1.0 did not store them. */
      grid: z.string().optional(),
      thenLimit: z.int().min(1).optional(),
      /** Lines of sample data, which are never mixed with live ones. */
      demo: z.boolean().optional(),
    })
    // Options of steps.
    .catchall(z.union([z.string(), z.boolean(), z.int()])),
  lookedUp: lookedUp.optional(),
});
export type CheckpointHeader = z.output<typeof header>;

const answer = z.custom<Answer>(
  (value) => isRecord(value) && typeof value.json === 'string' && isRecord(value.meta),
);
const listRest = z.strictObject({ cursor: z.string(), pages: count, kept: count });

const entry = z.strictObject({
  inputs: count,
  mark: count,
  read: count,
  ok: count,
  withoutNews: count.default(0),
  begun: count.default(0),
  parts: count.default(0),
  ignored: names,
  rounded: names,
  failed: z.record(z.string(), count),
  charged: count,
  givenBack: count,
  /** Bytes of complete lines on disk. */
  bytes: count,
  /** Bytes copied from the old output by a retry. */
  copied: count,
  /**
   * Failed inputs since the previous entry: index, and offset and length of their lines in the output; for a partial
   * list, where to continue.
   */
  bad: z.array(z.tuple([count, count, count, listRest.optional()])),
  done: z.boolean(),
  /** For a run that paused or ended early: answers to inputs without a line, by index. */
  left: z.array(z.tuple([count, z.array(answer)])).optional(),
});
export type CheckpointEntry = Totals &
  Omit<z.output<typeof entry>, 'left'> & { readonly left?: LeftAnswers | undefined };

export interface FailedLine {
  readonly index: number;
  readonly offset: number;
  readonly length: number;
  readonly rest?: z.output<typeof listRest> | undefined;
}

export interface StoredCheckpoint {
  readonly header: CheckpointHeader;
  /** The last entry that the output confirms, if any. */
  readonly entry: CheckpointEntry | undefined;
  /** Bytes of the checkpoint up to the end of that entry. */
  readonly end: number;
}

interface CheckpointLine {
  readonly value: unknown;
  readonly end: number;
}

/** Yields the complete lines of a checkpoint; drops a truncated last one. */
async function* checkpointLines(file: string): AsyncGenerator<CheckpointLine, void, undefined> {
  let lineParts: Buffer[] = [];
  let position = 0;
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    let from = 0;
    for (let to = chunk.indexOf(0x0a); to >= 0; to = chunk.indexOf(0x0a, from)) {
      const line = Buffer.concat([...lineParts, chunk.subarray(from, to)]);
      position += line.length + 1;
      from = to + 1;
      lineParts = [];
      yield { value: jsonOf(line.toString()), end: position };
    }
    lineParts.push(chunk.subarray(from));
  }
}

function damagedCheckpoint(file: string): ExtractError {
  return invalidParameter(
    `${file} is not the checkpoint of a batch, or it is damaged; --overwrite starts over.`,
  );
}

/**
 * Reads a checkpoint; null if there is none. Ignores entries beyond `outputBytes`, the size of the output, which a
 * power failure may leave behind. Throws `invalid_parameter` if the file is not a checkpoint.
 */
export async function readCheckpoint(file: string, outputBytes: number): Promise<StoredCheckpoint | null> {
  let checkpoint: StoredCheckpoint | undefined;
  try {
    for await (const { value, end } of checkpointLines(file)) {
      if (checkpoint === undefined) {
        const first = header.safeParse(value);
        if (!first.success) throw damagedCheckpoint(file);
        checkpoint = { header: first.data, entry: undefined, end };
        continue;
      }
      const next = entry.safeParse(value);
      if (!next.success || next.data.bytes > outputBytes) break;
      checkpoint = { header: checkpoint.header, entry: next.data, end };
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  if (checkpoint === undefined) throw damagedCheckpoint(file);
  return checkpoint;
}

/** Yields the failed lines in a checkpoint, in order, from the input `from`. */
export async function* failedLines(file: string, from: number): AsyncGenerator<FailedLine, void, undefined> {
  for await (const { value } of checkpointLines(file)) {
    const one = entry.safeParse(value);
    if (!one.success) continue;
    for (const [index, offset, length, rest] of one.data.bad)
      if (index >= from) yield { index, offset, length, rest };
  }
}

/** A checkpoint open for writing, with a line for each position up to which the output is complete. */
export class Checkpoint {
  readonly #handle: FileHandle;
  #end: number;

  private constructor(handle: FileHandle, end: number) {
    this.#handle = handle;
    this.#end = end;
  }

  /** Creates a checkpoint, atomically replacing an older one. */
  static async create(file: string, head: CheckpointHeader): Promise<Checkpoint> {
    const draft = `${file}.new`;
    const text = `${JSON.stringify(head)}\n`;
    await writeFile(draft, text, { mode: 0o600, flush: true });
    await moveFile(draft, file);
    return new Checkpoint(await open(file, 'r+'), Buffer.byteLength(text));
  }

  /** Opens a checkpoint to continue after its last valid entry. */
  static async resume(file: string, { end }: StoredCheckpoint): Promise<Checkpoint> {
    const handle = await open(file, 'r+');
    await handle.truncate(end);
    return new Checkpoint(handle, end);
  }

  /** Adds an entry completely, or not at all if the write fails. */
  async add(checkpointEntry: CheckpointEntry): Promise<void> {
    const bytes = Buffer.from(`${JSON.stringify(checkpointEntry)}\n`);
    try {
      await writeAt(this.#handle, bytes, this.#end);
      this.#end += bytes.length;
    } catch (error) {
      await this.#handle.truncate(this.#end).catch(() => undefined);
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.#handle.close();
  }
}
