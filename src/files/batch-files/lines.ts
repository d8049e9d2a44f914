import { isUtf8 } from 'node:buffer';
import { crc32 } from 'node:zlib';

/** One line of an input that is not blank. */
export interface Line {
  /** As an editor counts them, blank ones included, from 1. */
  readonly number: number;
  /** Without its line break; only the beginning of a line that is too long. */
  readonly text: string;
  readonly fault: 'too long' | 'not UTF-8' | null;
  /** Checksum of the input from its beginning to the end of this line, blank lines and line breaks left out. */
  readonly checksum: number;
  /** Bytes of the input up to the end of this line. */
  readonly end: number;
}

/** Bytes of the longest line: more than all parameters of an endpoint together can have. */
export const maxLineBytes = 64 * 1024;
/** A line of results holds all pages of a list. */
const maxResultBytes = 256 * 1024 * 1024;
/** Bytes that stay of a longer one. */
const excerptBytes = 1024;

/** How a line of results begins. No input of parameters alone does. */
const resultBeginnings = ['{"input":', '{"data":'].map((text) => Buffer.from(text));

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

/** Collects a line from chunks: all of it up to the bound, its beginning and a checksum beyond. */
class LineBuffer {
  #parts: Uint8Array[] = [];
  #size = 0;
  #checksum: number;
  #head: Buffer | undefined;
  #max: number | undefined;

  constructor(checksum: number) {
    this.#checksum = checksum;
  }

  get isEmpty(): boolean {
    return this.#size === 0;
  }

  add(part: Uint8Array): void {
    this.#size += part.length;
    if (this.#head !== undefined) {
      this.#checksum = crc32(part, this.#checksum);
      return;
    }
    this.#parts.push(part);
    if (this.#size <= this.#maxBytes()) return;
    const whole = Buffer.concat(this.#parts);
    this.#checksum = crc32(whole, this.#checksum);
    this.#head = Buffer.from(whole.subarray(0, excerptBytes));
    this.#parts = [];
  }

  #maxBytes(): number {
    if (this.#size <= maxLineBytes) return maxLineBytes;
    this.#max ??= this.#isResult() ? maxResultBytes : maxLineBytes;
    return this.#max;
  }

  #isResult(): boolean {
    const head = Buffer.concat(this.#parts.slice(0, 2)).subarray(0, 16);
    return resultBeginnings.some((beginning) => head.subarray(0, beginning.length).equals(beginning));
  }

  /** The line, or null for a blank one. `first` is true where a byte order mark may precede it. */
  end(number: number, end: number, first: boolean): Line | null {
    if (this.#head !== undefined) {
      return { number, text: this.#head.toString(), fault: 'too long', checksum: this.#checksum, end };
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
    return {
      number,
      text,
      fault: isUtf8(bytes) ? null : 'not UTF-8',
      checksum: crc32(bytes, this.#checksum),
      end,
    };
  }
}

/**
 * The lines of an input, bounded in memory. A byte order mark, carriage returns before line feeds,
 * blank lines and a missing last line break make no difference.
 */
export async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Line, void, undefined> {
  let number = 1;
  let position = 0;
  let checksum = 0;
  let line = new LineBuffer(checksum);
  const ended = (end: number) => {
    const whole = line.end(number, end, number === 1);
    checksum = whole?.checksum ?? checksum;
    number += 1;
    line = new LineBuffer(checksum);
    return whole;
  };
  for await (const chunk of chunks) {
    let from = 0;
    for (let to = chunk.indexOf(lineFeed); to >= 0; to = chunk.indexOf(lineFeed, from)) {
      // A file of empty lines would hold the event loop for all of them.
      if (to === from && line.isEmpty) {
        from += 1;
        number += 1;
        continue;
      }
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
