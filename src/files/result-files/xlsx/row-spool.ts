import { createReadStream } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import { textLines } from '../answer-lines.js';

/** Characters kept in memory before they are moved to a file. */
const maxHeldLength = 1024 * 1024;
/** Rows read back per turn of the event loop. */
const rowsPerTurn = 500;

/** Holds rows that are needed after others produced at the same time: few in memory, many in a file. */
export class RowSpool {
  readonly #file: string;
  #held: string[] = [];
  #length = 0;
  #handle: FileHandle | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(file: string) {
    this.#file = file;
  }

  /** Adds a row. Returns a promise if the caller must wait. */
  add(row: readonly unknown[]): Promise<void> | undefined {
    const text = JSON.stringify(row);
    this.#held.push(text);
    this.#length += text.length;
    if (this.#length < maxHeldLength) return undefined;
    const rows = this.#held;
    this.#held = [];
    this.#length = 0;
    this.#writing = this.#writing.then(() => this.#write(rows));
    return this.#writing;
  }

  async #write(rows: readonly string[]): Promise<void> {
    this.#handle ??= await open(this.#file, 'w');
    await this.#handle.writeFile(`${rows.join('\n')}\n`);
  }

  /** Yields the rows, in order, some per turn of the event loop. */
  async *rows(): AsyncGenerator<readonly (readonly unknown[])[], void, undefined> {
    await this.#writing;
    if (this.#handle !== undefined) {
      for await (const lines of textLines(createReadStream(this.#file))) yield* turnsOf(lines);
    }
    yield* turnsOf(this.#held);
  }

  async close(): Promise<void> {
    await this.#writing.catch(() => undefined);
    if (this.#handle === undefined) return;
    await this.#handle.close();
    await rm(this.#file, { force: true });
  }
}

async function* turnsOf(
  lines: readonly string[],
): AsyncGenerator<readonly (readonly unknown[])[], void, undefined> {
  for (let at = 0; at < lines.length; at += rowsPerTurn) {
    yield lines.slice(at, at + rowsPerTurn).map((line) => JSON.parse(line) as readonly unknown[]);
    await setImmediate();
  }
}
