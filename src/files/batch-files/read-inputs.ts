import type { FileHandle } from 'node:fs/promises';
import { open } from 'node:fs/promises';
import type { Endpoint } from '../../../lib/endpoint.js';
import { type ExtractError, invalidParameter } from '../../../lib/errors/extract-error.js';
import { isRecord } from '../../../lib/read/json.js';
import { jsonOf } from '../../output/json-text.js';
import { formatOfContent, isWorkbook } from './content-format.js';
import { csvInput } from './csv-input.js';
import {
  type Input,
  type InputFormat,
  invalidInput,
  type ParsedInput,
  parsedInput,
  unreadableInput,
  withIndexes,
} from './input.js';
import { jsonValues } from './json-values.js';
import { type Line, linesOf } from './lines.js';
import { type ObjectTarget, objectInputs } from './object-input.js';
import type { ParamMap } from './param-map.js';
import type { RecognisedColumn } from './recognised-columns.js';
import { inputTable } from './table-rows.js';
import { asUtf8, type DecodedLine, type LegacyEncoding, legacyDecoder } from './text-encoding.js';

export interface InputSource {
  readonly chunks: AsyncIterable<Uint8Array>;
  readonly size: number | undefined;
  close(): Promise<void>;
}

const notAllowed = (file: string) => `No permission to read ${file}.`;

const reasons: Readonly<Record<string, (file: string) => string>> = {
  ENOENT: (file) => `No such file: ${file}`,
  EACCES: notAllowed,
  EPERM: notAllowed,
  EISDIR: (file) => `${file} is a folder.`,
};

/** Converts the error of a user's unreadable file to one of the catalogue. */
export function unreadableFile(file: string, error: unknown): ExtractError {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  const text = reasons[code]?.(file) ?? `${file} cannot be read: ${code || 'it failed'}.`;
  return invalidParameter(text, { cause: error, next: '' });
}

const chunkBytes = 256 * 1024;

async function* chunksOf(file: string, handle: FileHandle): AsyncGenerator<Uint8Array, void, undefined> {
  for (;;) {
    const { bytesRead, buffer } = await handle
      .read({ buffer: Buffer.allocUnsafeSlow(chunkBytes) })
      .catch((error: unknown) => {
        throw unreadableFile(file, error);
      });
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
  }
}

/** Opens a file of inputs. Throws `invalid_parameter` if it is missing or unreadable. */
export async function openSource(file: string): Promise<InputSource> {
  try {
    const handle = await open(file, 'r');
    const about = await handle.stat();
    if (about.isDirectory()) {
      await handle.close();
      throw Object.assign(new Error(file), { code: 'EISDIR' });
    }
    return {
      chunks: chunksOf(file, handle),
      size: about.isFile() ? about.size : undefined,
      close: () => handle.close(),
    };
  } catch (error) {
    throw unreadableFile(file, error);
  }
}

/** Parses one identifying value per line; `nameOf` returns its parameter. */
async function* textInput(
  lines: AsyncIterable<Line>,
  nameOf: (value: string) => string,
): AsyncGenerator<ParsedInput, void, undefined> {
  for await (const line of lines) {
    const value = line.text.trim();
    const params = { [nameOf(value)]: value };
    yield unreadableInput(line) ?? parsedInput(line, params, JSON.stringify(params), true);
  }
}

/** What the first input reveals about the others. */
export interface InputDescription {
  readonly format: InputFormat;
  /** Columns of a table that are not parameters; for objects, the first input's. */
  readonly ownColumns: readonly string[];
  /** The column recognised as a parameter without a matching heading. */
  readonly recognised?: RecognisedColumn | undefined;
}

export interface InputOptions {
  /** Null to detect it from the content. */
  readonly format: InputFormat | null;
  readonly endpoint: Endpoint;
  readonly nameOf: (value: string) => string;
  readonly map?: ParamMap | undefined;
  /** For answers of an earlier stage, whose items are each requested once. */
  readonly ofAnswers?: { readonly maxItems: number } | undefined;
  /** True if the output has no room for the user's columns, as in a job. */
  readonly parametersOnly?: boolean | undefined;
  readonly onDescribed?: ((description: InputDescription) => void) | undefined;
  /** Called for each earlier result that is an error. */
  readonly onLeftOut?: (() => void) | undefined;
  /** Called for each table row without a value to request; if omitted, such rows fail. */
  readonly onBlank?: (() => void) | undefined;
  /** Called for the first line of an older encoding than UTF-8. */
  readonly onDecoded?: ((line: DecodedLine) => void) | undefined;
}

const maxHeadBytes = 64 * 1024;

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

const withLineFeeds = (bytes: Uint8Array) =>
  Buffer.from(bytes.map((byte) => (byte === carriageReturn ? lineFeed : byte)));

/**
 * Returns the beginning of a source up to its first non-blank line, and all of it again. Converts bare carriage
 * returns, as in Excel's “CSV (Macintosh)”, to line breaks.
 */
export async function peek(source: AsyncIterable<Uint8Array>) {
  const iterator = asUtf8(source)[Symbol.asyncIterator]();
  let head = Buffer.alloc(0);
  const isEnough = () => head.length >= maxHeadBytes || head.toString('latin1').trimStart().includes('\n');
  let ended = false;
  while (!ended && !isEnough()) {
    const next = await iterator.next();
    if (next.done === true) ended = true;
    else head = Buffer.concat([head, next.value]);
  }
  async function* chunks(): AsyncGenerator<Uint8Array, void, undefined> {
    try {
      if (head.length > 0) yield head;
      if (!ended) yield* { [Symbol.asyncIterator]: () => iterator };
    } finally {
      await iterator.return?.();
    }
  }
  const hasLineFeeds = head.includes(lineFeed) || !head.includes(carriageReturn) || isWorkbook(head);
  if (hasLineFeeds) return { head, chunks: chunks(), legacy: 'windows-1252' as LegacyEncoding };
  async function* lines(): AsyncGenerator<Uint8Array, void, undefined> {
    for await (const chunk of chunks()) yield withLineFeeds(chunk);
  }
  return { head: withLineFeeds(head), chunks: lines(), legacy: 'macintosh' as LegacyEncoding };
}

/**
 * Parses JSON values: objects are parameters, items or lines of results. In an array, where `nameOf` is passed, strings
 * are plain values.
 */
async function* jsonInput(
  values: AsyncIterable<Line>,
  target: ObjectTarget,
  nameOf?: InputOptions['nameOf'],
): AsyncGenerator<ParsedInput, void, undefined> {
  for await (const line of values) {
    const failure = unreadableInput(line);
    const value = failure === null ? jsonOf(line.text) : undefined;
    if (failure !== null) yield failure;
    else if (typeof value === 'string' && nameOf !== undefined) {
      const params = { [nameOf(value.trim())]: value.trim() };
      yield parsedInput(line, params, JSON.stringify(params), true);
    } else if (!isRecord(value)) yield invalidInput(line, 'is not a JSON object of parameters');
    else {
      // On one line, as in a line of results.
      const text = nameOf === undefined ? line.text.trim() : JSON.stringify(value);
      yield* objectInputs({ ...line, text }, value, target);
    }
  }
}

async function* withoutRepeated(inputs: AsyncIterable<ParsedInput>): AsyncGenerator<ParsedInput> {
  const seenEchoes = new Set<string>();
  for await (const input of inputs) {
    if (input.params !== null && seenEchoes.has(input.echo)) continue;
    seenEchoes.add(input.echo);
    yield input;
  }
}

/**
 * Yields the inputs of a source in order, with their index, line, and parameters or fault. Throws `invalid_body` for a
 * source that is neither text nor a workbook.
 */
export async function* readInputs(
  source: AsyncIterable<Uint8Array>,
  options: InputOptions,
): AsyncGenerator<Input, void, undefined> {
  const { endpoint, nameOf, map = {}, parametersOnly = false, onDescribed, onLeftOut = () => {} } = options;
  const { head, chunks, legacy } = await peek(source);
  const decode = legacyDecoder(legacy, options.onDecoded ?? (() => {}));
  const format = formatOfContent(head, options.format, endpoint, map);
  const describe = (ownColumns: readonly string[], recognised?: RecognisedColumn) =>
    onDescribed?.({ format, ownColumns, recognised });
  const maxItems = options.ofAnswers?.maxItems ?? Infinity;
  const target = { endpoint, map, parametersOnly, maxItems, onLeftOut, onBlank: options.onBlank };
  const numbered = (inputs: AsyncIterable<ParsedInput>) =>
    withIndexes(options.ofAnswers === undefined ? inputs : withoutRepeated(inputs));
  const table = inputTable({ ...target, onColumns: describe });
  switch (format) {
    case 'ndjson':
      describe([]);
      return yield* numbered(jsonInput(linesOf(chunks), target));
    case 'json':
      describe([]);
      return yield* numbered(jsonInput(jsonValues(chunks), target, nameOf));
    case 'csv':
    case 'tsv':
      return yield* numbered(csvInput(linesOf(chunks, decode), table));
    case 'xlsx':
      return yield* numbered((await import('./xlsx-input.js')).xlsxInput(chunks, table));
    case 'text':
      describe([]);
      return yield* numbered(textInput(linesOf(chunks, decode), nameOf));
  }
}
