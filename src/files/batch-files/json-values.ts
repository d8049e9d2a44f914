import { isUtf8 } from 'node:buffer';
import { crc32 } from 'node:zlib';
import type { Line } from './lines.js';

/** A line of results contains all pages of a list. */
const maxValueLength = 256 * 1024 * 1024;

const byteOrderMark = '\xef\xbb\xbf';

/** The state of incremental JSON parsing. */
interface Reading {
  /** Number of open objects and arrays. */
  depth: number;
  inText: boolean;
  escaped: boolean;
}

const opens = (code: number) => code === 0x7b || code === 0x5b;
const closes = (code: number) => code === 0x7d || code === 0x5d;

/**
 * Yields the objects of a JSON document, an array or consecutive values, each as a line at the object's position.
 * Other text becomes a line as well, so that it is rejected with its number; a truncated document ends with an
 * invalid line. Memory holds one object.
 */
export async function* jsonValues(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Line, void, undefined> {
  const at: Reading = { depth: 0, inText: false, escaped: false };
  let text = '';
  let number = 1;
  let began = 1;
  let checksum = 0;
  let end = 0;
  let isArray = false;
  let isFirst = true;

  function* line(value: string): Generator<Line, void, undefined> {
    const bytes = Buffer.from(value, 'latin1');
    const text = bytes.toString().trim();
    if (text === '') return;
    checksum = crc32(bytes, checksum);
    yield { number: began, text, fault: isUtf8(bytes) ? null : 'not UTF-8', checksum, end };
  }

  for await (const chunk of chunks) {
    // Decoded as one character per byte: JSON's syntax is ASCII, and a chunk may split a character.
    const piece = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length).toString('latin1');
    end += chunk.length;
    let from = 0;
    for (let index = 0; index < piece.length; index += 1) {
      const code = piece.charCodeAt(index);
      if (code === 0x0a) number += 1;
      if (at.inText) {
        if (at.escaped) at.escaped = false;
        else if (code === 0x5c) at.escaped = true;
        else if (code === 0x22) at.inText = false;
        continue;
      }
      const between = at.depth === (isArray ? 1 : 0);
      if (isFirst && code === 0x5b) {
        isArray = true;
        isFirst = false;
        at.depth = 1;
        from = index + 1;
        text = '';
        began = number;
      } else if (between && (code === 0x2c || code <= 0x20 || (isArray && code === 0x5d))) {
        // This text is between two values; a value that is not an object ends here.
        text += piece.slice(from, index);
        from = index + 1;
        if (text !== '') yield* line(text);
        text = '';
        began = number;
      } else {
        if (code > 0x20 && !byteOrderMark.includes(piece.charAt(index))) isFirst = false;
        if (between && text === '' && from === index) began = number;
        if (code === 0x22) at.inText = true;
        else if (opens(code)) at.depth += 1;
        else if (closes(code)) {
          at.depth -= 1;
          if (at.depth === (isArray ? 1 : 0)) {
            yield* line(text + piece.slice(from, index + 1));
            text = '';
            from = index + 1;
          }
        }
      }
    }
    text += piece.slice(from);
    if (text.length > maxValueLength) break;
  }
  yield* line(text);
}
