import { isUtf8 } from 'node:buffer';
import { crc32 } from 'node:zlib';

/** A non-blank line of an input. */
export interface Line {
  /** As in an editor: from 1, counting blank lines. */
  readonly number: number;
  /** Without its line break. A line that is too long is truncated. */
  readonly text: string;
  readonly fault: 'too long' | 'not UTF-8' | null;
  /** Checksum of the input up to the end of this line, ignoring blank lines and line breaks. */
  readonly checksum: number;
  /** Bytes of the input up to the end of this line. */
  readonly end: number;
}

/** More than all parameters of an endpoint together can have. */
export const maxLineBytes = 64 * 1024;
/** A line of results contains all pages of a list. */
const maxResultBytes = 256 * 1024 * 1024;
/** Bytes kept of a line that is too long. */
const excerptBytes = 1024;

/** A line of results begins like this; parameters never do. */
const resultBeginnings = ['{"input":', '{"data":'].map((text) => Buffer.from(text));

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

/** Decodes a line that is not UTF-8; null if that is impossible. */
export type DecodeLine = (bytes: Uint8Array, number: number) => string | null;

/** Collects a line from chunks: all of it up to the limit, beyond that its beginning and a checksum. */
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
    const line = Buffer.concat(this.#parts);
    this.#checksum = crc32(line, this.#checksum);
    this.#head = Buffer.from(line.subarray(0, excerptBytes));
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

  /** Returns the line; null for a blank one. `first` allows a byte order mark. */
  end(number: number, end: number, first: boolean, decode: DecodeLine | undefined): Line | null {
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
    const decoded = isUtf8(bytes) ? bytes.toString() : (decode?.(bytes, number) ?? null);
    const text = decoded ?? bytes.toString();
    if (text.trim() === '') return null;
    return {
      number,
      text,
      fault: decoded === null ? 'not UTF-8' : null,
      checksum: crc32(bytes, this.#checksum),
      end,
    };
  }
}

/**
 * Yields the lines of an input with bounded memory. Ignores a byte order mark, carriage returns before line feeds,
 * blank lines, and a missing final line break. `decode` is called for lines that are not UTF-8.
 */
export async function* linesOf(
  chunks: AsyncIterable<Uint8Array>,
  decode?: DecodeLine,
): AsyncGenerator<Line, void, undefined> {
  let number = 1;
  let position = 0;
  let checksum = 0;
  let line = new LineBuffer(checksum);
  const ended = (end: number) => {
    const lastLine = line.end(number, end, number === 1, decode);
    checksum = lastLine?.checksum ?? checksum;
    number += 1;
    line = new LineBuffer(checksum);
    return lastLine;
  };
  for await (const chunk of chunks) {
    let from = 0;
    for (let to = chunk.indexOf(lineFeed); to >= 0; to = chunk.indexOf(lineFeed, from)) {
      // A file of empty lines would otherwise block the event loop.
      if (to === from && line.isEmpty) {
        from += 1;
        number += 1;
        continue;
      }
      line.add(chunk.subarray(from, to));
      from = to + 1;
      const complete = ended(position + from);
      if (complete !== null) yield complete;
    }
    line.add(chunk.subarray(from));
    position += chunk.length;
  }
  const last = ended(position);
  if (last !== null) yield last;
}
