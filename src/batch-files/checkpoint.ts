import { createReadStream } from 'node:fs';
import { type FileHandle, open, rename, writeFile } from 'node:fs/promises';
import * as z from 'zod';
import { ExtractError } from '../../lib/errors/extract-error.js';
import type { Totals } from './tally.js';

const count = z.int().min(0);

/** What a batch is: it must be the same when it is taken up again. */
const header = z.strictObject({
  extract_batch: z.literal(1),
  id: z.string().regex(/^batch_\w{1,64}$/),
  endpoint: z.string(),
  /** Options that decide what the lines are. */
  shape: z.strictObject({ output: z.enum(['ndjson', 'csv']), all: z.boolean(), flatten: z.boolean() }),
});
export type Header = z.output<typeof header>;

const entry = z.strictObject({
  inputs: count,
  mark: count,
  read: count,
  ok: count,
  failed: z.record(z.string(), count),
  charged: count,
  givenBack: count,
  /** Bytes of the output that are whole and on the disk. */
  bytes: count,
  /** Bytes of the old output that were copied, where failed inputs are run again. */
  copied: count,
  /** Failed inputs since the entry before: index, and where their lines stand in the output. */
  bad: z.array(z.tuple([count, count, count])),
  done: z.boolean(),
});
export type Entry = Totals & z.output<typeof entry>;

/** The lines of one failed input in the output. */
export interface FailedLine {
  readonly index: number;
  readonly offset: number;
  readonly length: number;
}

/** What stands in a checkpoint. */
export interface Kept {
  readonly header: Header;
  /** The last entry that the output bears out; undefined where there is none. */
  readonly entry: Entry | undefined;
  /** Bytes of the checkpoint up to the end of that entry. */
  readonly end: number;
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

interface Row {
  readonly value: unknown;
  readonly end: number;
}

/** The whole lines of a checkpoint; one that was torn off at the end is not there. */
async function* rows(file: string): AsyncGenerator<Row, void, undefined> {
  let rest: Buffer = Buffer.alloc(0);
  let position = 0;
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    const data = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let from = 0;
    for (let to = data.indexOf(0x0a); to >= 0; to = data.indexOf(0x0a, from)) {
      const value = parsed(data.toString('utf8', from, to));
      position += to + 1 - from;
      from = to + 1;
      yield { value, end: position };
    }
    rest = data.subarray(from);
  }
}

function damaged(file: string): ExtractError {
  return new ExtractError(
    'invalid_parameter',
    `${file} is not the checkpoint of a batch, or it is damaged; --overwrite begins anew.`,
  );
}

/**
 * Reads a checkpoint, or null where there is none. `outputBytes` is what is there of the output: an entry that
 * vouches for more (the machine lost power) does not count. Throws `invalid_parameter` for what is no checkpoint.
 */
export async function readCheckpoint(file: string, outputBytes: number): Promise<Kept | null> {
  let kept: Kept | undefined;
  try {
    for await (const { value, end } of rows(file)) {
      if (kept === undefined) {
        const first = header.safeParse(value);
        if (!first.success) throw damaged(file);
        kept = { header: first.data, entry: undefined, end };
        continue;
      }
      const next = entry.safeParse(value);
      // After an entry that cannot be read nothing is trusted.
      if (!next.success || next.data.bytes > outputBytes) break;
      kept = { header: kept.header, entry: next.data, end };
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  if (kept === undefined) throw damaged(file);
  return kept;
}

/** The failed lines that a checkpoint tells of, in order, from the input `from` on. */
export async function* failedLines(file: string, from: number): AsyncGenerator<FailedLine, void, undefined> {
  for await (const { value } of rows(file)) {
    const one = entry.safeParse(value);
    if (!one.success) continue;
    for (const [index, offset, length] of one.data.bad) if (index >= from) yield { index, offset, length };
  }
}

/** A checkpoint that is written to: a line for each moment up to which the output is whole. */
export class Checkpoint {
  readonly #handle: FileHandle;
  #end: number;

  private constructor(handle: FileHandle, end: number) {
    this.#handle = handle;
    this.#end = end;
  }

  /** Begins a new one in place of any that is there: that one stays until the new one is whole. */
  static async begin(file: string, head: Header): Promise<Checkpoint> {
    const draft = `${file}.new`;
    const text = `${JSON.stringify(head)}\n`;
    await writeFile(draft, text, { flush: true });
    await rename(draft, file);
    return new Checkpoint(await open(file, 'r+'), Buffer.byteLength(text));
  }

  /** Goes on after the entry that was read last. */
  static async goOn(file: string, { end }: Kept): Promise<Checkpoint> {
    const handle = await open(file, 'r+');
    await handle.truncate(end);
    return new Checkpoint(handle, end);
  }

  /** Adds an entry, whole or (when that fails) not at all. */
  async add(made: Entry): Promise<void> {
    const bytes = Buffer.from(`${JSON.stringify(made)}\n`);
    try {
      let done = 0;
      while (done < bytes.length) {
        done += (await this.#handle.write(bytes, done, bytes.length - done, this.#end + done)).bytesWritten;
      }
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
