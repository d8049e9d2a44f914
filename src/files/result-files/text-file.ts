import { type FileHandle, open } from 'node:fs/promises';
import type { InputAnswer, ResultFileWriter } from './result-file.js';

const chunkLength = 256 * 1024;

export interface TextLines<Row> {
  /** The beginning of the file. */
  readonly head: string;
  rows(answer: InputAnswer): readonly Row[];
  text(rows: readonly Row[]): string;
  /** Rows converted together. Default: 1. */
  readonly rowsAtOnce?: number;
  /** The end of the file. */
  readonly tail?: string;
}

/** A file of lines. A chunk is written while the next one is built. */
class TextFile<Row> implements ResultFileWriter {
  readonly #handle: FileHandle;
  readonly #lines: TextLines<Row>;
  #rows: Row[] = [];
  #text: string;
  #written: Promise<void> = Promise.resolve();

  constructor(handle: FileHandle, lines: TextLines<Row>) {
    this.#handle = handle;
    this.#lines = lines;
    this.#text = lines.head;
  }

  add(answer: InputAnswer): Promise<void> | void {
    for (const row of this.#lines.rows(answer)) this.#rows.push(row);
    if (this.#rows.length < (this.#lines.rowsAtOnce ?? 1)) return;
    this.#join();
    return this.#text.length < chunkLength ? undefined : this.#write();
  }

  #join(): void {
    this.#text += this.#lines.text(this.#rows);
    this.#rows = [];
  }

  /** Starts writing what is pending. Waits for the previous write, and throws its fault. */
  #write(): Promise<void> {
    const text = this.#text;
    const before = this.#written;
    this.#text = '';
    this.#written = before.then(() => this.#handle.writeFile(text));
    this.#written.catch(() => undefined);
    return before;
  }

  async end(): Promise<void> {
    try {
      this.#join();
      this.#text += this.#lines.tail ?? '';
      await this.#write();
      await this.#written;
    } finally {
      await this.#handle.close();
    }
  }

  async abort(): Promise<void> {
    await this.#written.catch(() => undefined);
    await this.#handle.close();
  }
}

export async function openTextFile<Row>(file: string, lines: TextLines<Row>): Promise<ResultFileWriter> {
  return new TextFile(await open(file, 'w'), lines);
}
