import { isUtf8 } from 'node:buffer';
import { crc32 } from 'node:zlib';

/** One line of an input that is not blank. */
export interface Line {
  /** As an editor counts them, blank ones included, from 1. */
  readonly number: number;
  /** Without its line break; the beginning only where it is too long. */
  readonly text: string;
  readonly fault: 'too long' | 'not UTF-8' | null;
  /** Checksum of the input from its beginning to the end of this line, blank lines and line breaks left out. */
  readonly mark: number;
  /** Bytes of the input up to the end of this line. */
  readonly end: number;
}

/** Longest line in bytes: more than all parameters of an endpoint together can be. */
export const longestLine = 64 * 1024;
/** How much is kept of a longer one. */
const keptOfLonger = 1024;

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

/** A line as it gathers from chunks: whole up to the bound, its beginning and a checksum beyond. */
class Gathering {
  #parts: Uint8Array[] = [];
  #size = 0;
  #mark: number;
  #head: Buffer | undefined;

  constructor(mark: number) {
    this.#mark = mark;
  }

  add(part: Uint8Array): void {
    this.#size += part.length;
    if (this.#head !== undefined) {
      this.#mark = crc32(part, this.#mark);
      return;
    }
    this.#parts.push(part);
    if (this.#size <= longestLine) return;
    const whole = Buffer.concat(this.#parts);
    this.#mark = crc32(whole, this.#mark);
    this.#head = Buffer.from(whole.subarray(0, keptOfLonger));
    this.#parts = [];
  }

  /** The line, or null for a blank one. `first` tells that a byte order mark may open it. */
  end(number: number, end: number, first: boolean): Line | null {
    if (this.#head !== undefined) {
      return { number, text: this.#head.toString(), fault: 'too long', mark: this.#mark, end };
    }
    const [only] = this.#parts;
    let bytes =
      this.#parts.length === 1 && only !== undefined
        ? Buffer.from(only.buffer, only.byteOffset, only.length)
        : Buffer.concat(this.#parts);
    if (first && bytes.subarray(0, 3).equals(byteOrderMark)) bytes = bytes.subarray(3);
    if (bytes.at(-1) === carriageReturn) bytes = bytes.subarray(0, -1);
    const text = bytes.toString();
    if (text.trim() === '') return null;
    return { number, text, fault: isUtf8(bytes) ? null : 'not UTF-8', mark: crc32(bytes, this.#mark), end };
  }
}

/**
 * The lines of an input, bounded in memory whatever comes. A byte order mark, carriage returns before line feeds,
 * blank lines and a missing last line break make no difference.
 */
export async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Line, void, undefined> {
  let number = 1;
  let position = 0;
  let mark = 0;
  let line = new Gathering(mark);
  const ended = (end: number) => {
    const whole = line.end(number, end, number === 1);
    mark = whole?.mark ?? mark;
    number += 1;
    line = new Gathering(mark);
    return whole;
  };
  for await (const chunk of chunks) {
    let from = 0;
    for (let to = chunk.indexOf(lineFeed); to >= 0; to = chunk.indexOf(lineFeed, from)) {
      line.add(chunk.subarray(from, to));
      from = to + 1;
      const whole = ended(position + from);
      if (whole !== null) yield whole;
    }
    line.add(chunk.subarray(from));
    position += chunk.length;
  }
  const last = ended(position);
  if (last !== null) yield last;
}
