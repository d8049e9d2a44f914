import { ExtractError } from '../../../lib/errors/extract-error.js';
import { accountTurns } from '../../../lib/runtime/account-turns.js';
import {
  InputTexts,
  inputText,
  isJobField,
  maxInputBytes,
  maxInputDepth,
  maxInputs,
  tooLargeInput,
  tooManyInputs,
  unknownField,
} from './job-limits.js';
import type { JobFields } from './job-request.js';

/** Bytes read before other work runs. */
const bytesPerTurn = 64 * 1024;
const maxFieldBytes = 16 * 1024;

/** Maximum unknown fields to parse past, to find out whether the body is JSON. */
const maxStrangers = 8;

const [tab, lineFeed, carriageReturn, space] = [0x09, 0x0a, 0x0d, 0x20];
const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a];
const [openBracket, closeBracket, openBrace, closeBrace] = [0x5b, 0x5d, 0x7b, 0x7d];

const broken = () => new ExtractError('invalid_body', 'The body is not JSON.');

const isSpace = (byte: number | undefined) =>
  byte === space || byte === lineFeed || byte === carriageReturn || byte === tab;

/**
 * Reads the body of `POST /jobs` in chunks, so that a large one never blocks the event loop: JSON.parse takes 3 s for
 * one input of a million keys (measured 2026-11). Inputs are measured before they are parsed.
 */
class JobBodyReader {
  readonly #bytes: Buffer;
  readonly #account: string;
  #at: number;
  #turnBegan = 0;
  /** The first unknown field, reported once the complete body has parsed as JSON. */
  #unknown: string | undefined;

  constructor(bytes: Buffer, account: string) {
    this.#bytes = bytes;
    this.#account = account;
    // Skips a byte order mark.
    this.#at = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  }

  async read(): Promise<JobFields> {
    await this.#skip();
    if (this.#bytes[this.#at] !== openBrace) {
      throw new ExtractError('invalid_body', 'The body must be a JSON object.');
    }
    const fields = await this.#object();
    await this.#skip();
    if (this.#at < this.#bytes.length) throw broken();
    if (this.#unknown !== undefined) throw unknownField(this.#unknown);
    return fields;
  }

  async #object(): Promise<JobFields> {
    const fields: Record<string, unknown> = Object.create(null);
    let strangers = 0;
    this.#at += 1;
    await this.#skip();
    if (this.#take(closeBrace)) return fields;
    do {
      await this.#skip();
      if (this.#bytes[this.#at] !== quote) throw broken();
      const name = this.#value(maxFieldBytes, 0, () => broken()) as string;
      if (!isJobField(name)) {
        this.#unknown ??= name;
        strangers += 1;
        if (strangers > maxStrangers) throw unknownField(this.#unknown);
      }
      if (name in fields) {
        throw new ExtractError(
          'invalid_body',
          `The field ${JSON.stringify(name.slice(0, 80))} occurs twice.`,
        );
      }
      await this.#skip();
      if (!this.#take(colon)) throw broken();
      await this.#skip();
      fields[name] =
        name === 'inputs' && this.#bytes[this.#at] === openBracket
          ? await this.#inputs()
          : this.#value(maxFieldBytes, maxInputDepth, () => tooLargeField(name));
      await this.#skip();
    } while (this.#take(comma));
    if (!this.#take(closeBrace)) throw broken();
    return fields;
  }

  async #inputs(): Promise<InputTexts> {
    const texts: string[] = [];
    this.#at += 1;
    await this.#skip();
    if (this.#take(closeBracket)) return new InputTexts(texts);
    do {
      // An unnecessary await still creates a promise; four per input keep the garbage collector busy.
      const before = this.#skip();
      if (before !== undefined) await before;
      if (texts.length === maxInputs) throw tooManyInputs();
      const index = texts.length;
      const input = this.#value(maxInputBytes, maxInputDepth, (why) => tooLargeInput(index, why));
      texts.push(inputText(input, index));
      const behind = this.#skip();
      if (behind !== undefined) await behind;
    } while (this.#take(comma));
    if (!this.#take(closeBracket)) throw broken();
    return new InputTexts(texts);
  }

  #take(byte: number): boolean {
    if (this.#bytes[this.#at] !== byte) return false;
    this.#at += 1;
    return true;
  }

  /** Skips white space. Returns a promise to await if enough was read for one turn. */
  #skip(): Promise<void> | undefined {
    const end = Math.min(this.#bytes.length, this.#turnBegan + bytesPerTurn);
    while (this.#at < end && isSpace(this.#bytes[this.#at])) this.#at += 1;
    if (this.#at < end || this.#at === this.#bytes.length) return undefined;
    this.#turnBegan = this.#at;
    return accountTurns.next(this.#account).then(() => this.#skip());
  }

  /** Consumes a value within limits of bytes and depth. Throws `invalid_body`. */
  #value(maxBytes: number, maxDepth: number, tooLarge: (why: 'bytes' | 'depth') => ExtractError): unknown {
    const from = this.#at;
    const end = this.#endOfValue(from, from + maxBytes + 1, maxDepth, tooLarge);
    if (end - from > maxBytes) throw tooLarge('bytes');
    this.#at = end;
    try {
      return JSON.parse(this.#bytes.toString('utf8', from, end)) as unknown;
    } catch {
      throw broken();
    }
  }

  /** Returns the index after the value that begins at `from`; `limit` if it does not end before that. */
  #endOfValue(
    from: number,
    limit: number,
    maxDepth: number,
    tooLarge: (why: 'bytes' | 'depth') => ExtractError,
  ): number {
    const bytes = this.#bytes;
    const last = Math.min(bytes.length, limit);
    let depth = 0;
    let inText = false;
    for (let at = from; at < last; at += 1) {
      const byte = bytes[at];
      if (inText) {
        if (byte === backslash) at += 1;
        else if (byte === quote) {
          inText = false;
          if (depth === 0) return at + 1;
        }
      } else if (byte === quote) inText = true;
      else if (byte === openBrace || byte === openBracket) {
        depth += 1;
        if (depth > maxDepth) throw tooLarge('depth');
      } else if (byte === closeBrace || byte === closeBracket) {
        if (depth === 0) return at;
        depth -= 1;
        if (depth === 0) return at + 1;
      } else if (depth === 0 && (byte === comma || isSpace(byte))) return at;
    }
    if (last < limit) throw broken();
    return limit;
  }
}

function tooLargeField(name: string): ExtractError {
  const field = JSON.stringify(name.slice(0, 80));
  return new ExtractError('invalid_body', `The field ${field} is too large.`);
}

/**
 * Reads the fields in the body of an account's job. Rejects `invalid_body`, naming an input that is too large,
 * `invalid_parameter`, and `too_many_inputs`.
 */
export async function readJobBody(body: unknown, account: string): Promise<JobFields> {
  return new JobBodyReader(Buffer.isBuffer(body) ? body : Buffer.alloc(0), account).read();
}
