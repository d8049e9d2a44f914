import { type FileHandle, open } from 'node:fs/promises';
import type { InputAnswer, ResultFileWriter } from './result-file.js';

/** Characters that are joined before they are written. */
const chunkLength = 256 * 1024;

/** A file of lines: `textOf` gives those of an answer. */
class TextFile implements ResultFileWriter {
  readonly #handle: FileHandle;
  readonly #textOf: (answer: InputAnswer) => string;
  #text: string;

  constructor(handle: FileHandle, head: string, textOf: (answer: InputAnswer) => string) {
    this.#handle = handle;
    this.#text = head;
    this.#textOf = textOf;
  }

  add(answer: InputAnswer): Promise<void> | void {
    this.#text += this.#textOf(answer);
    return this.#text.length < chunkLength ? undefined : this.#flush();
  }

  async #flush(): Promise<void> {
    const text = this.#text;
    this.#text = '';
    await this.#handle.writeFile(text);
  }

  async end(): Promise<void> {
    try {
      await this.#flush();
    } finally {
      await this.#handle.close();
    }
  }

  async abort(): Promise<void> {
    await this.#handle.close();
  }
}

/** Opens a file of lines, beginning with `head`. */
export async function openTextFile(
  file: string,
  head: string,
  textOf: (answer: InputAnswer) => string,
): Promise<ResultFileWriter> {
  return new TextFile(await open(file, 'w'), head, textOf);
}
