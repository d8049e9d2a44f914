import { createReadStream } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import { ndjsonValues } from '../../../output/ndjson-values.js';

/** Characters in memory; more go to a file. */
const maxHeldLength = 1024 * 1024;
const rowsPerTurn = 500;

type Row = readonly unknown[];

/** Holds rows that are needed later: few in memory, many in a file. */
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
  add(row: Row): Promise<void> | undefined {
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

  async *rows(): AsyncGenerator<Row, void, undefined> {
    await this.#writing;
    const heldRows = this.#held.map((text) => JSON.parse(text) as Row);
    const writtenRows = this.#handle === undefined ? [] : ndjsonValues<Row>(createReadStream(this.#file));
    let count = 0;
    for (const rows of [writtenRows, heldRows]) {
      for await (const row of rows) {
        yield row;
        count += 1;
        if (count % rowsPerTurn === 0) await setImmediate();
      }
    }
  }

  async close(): Promise<void> {
    await this.#writing.catch(() => undefined);
    if (this.#handle === undefined) return;
    await this.#handle.close();
    await rm(this.#file, { force: true });
  }
}
