import { createReadStream } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import * as z from 'zod';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import type { CellResult } from './cover.js';

const line = z.strictObject({
  index: z.int().min(0),
  isFull: z.boolean(),
  ids: z.array(z.string()),
  cutOff: z.strictObject({ lat: z.number(), lng: z.number(), radius_m: z.number() }).optional(),
});

/**
 * The outcome of each cell, one line per cell, next to the output. A line is written before those of the output, so
 * that everything a checkpoint confirms is in it.
 */
export class CoverLog {
  readonly #handle: FileHandle;

  private constructor(handle: FileHandle) {
    this.#handle = handle;
  }

  /** Starts a new log. */
  static async create(file: string): Promise<CoverLog> {
    await rm(file, { force: true });
    return new CoverLog(await open(file, 'ax', 0o600));
  }

  /** Opens the log of a resumed run, dropping what follows its first `count` cells. */
  static async resume(
    file: string,
    count: number,
  ): Promise<{ readonly log: CoverLog; readonly known: readonly CellResult[] }> {
    const known: CellResult[] = [];
    let bytes = 0;
    try {
      for await (const text of createInterface({ input: createReadStream(file) })) {
        const read = known.length < count ? line.safeParse(JSON.parse(text)) : undefined;
        if (read?.success !== true || read.data.index !== known.length) break;
        known.push(read.data);
        bytes += Buffer.byteLength(text) + 1;
      }
    } catch (cause) {
      if (count > 0 && known.length < count) throw incomplete(file, cause);
    }
    if (known.length < count) throw incomplete(file);
    const handle = await open(file, 'a', 0o600);
    await handle.truncate(bytes);
    return { log: new CoverLog(handle), known };
  }

  /** Adds a cell; resolves when it is on disk, which must precede the checkpoint that confirms it. */
  async add(result: CellResult): Promise<void> {
    await this.#handle.appendFile(`${JSON.stringify(result)}\n`);
    await this.#handle.datasync();
  }

  async close(): Promise<void> {
    await this.#handle.close();
  }
}

function incomplete(file: string, cause?: unknown): ExtractError {
  return new ExtractError(
    'invalid_parameter',
    `${file} does not have every cell of the output next to it; --overwrite starts over.`,
    { cause },
  );
}
