import type { FileHandle } from 'node:fs/promises';
import { open } from 'node:fs/promises';
import type { Endpoint } from '../../../lib/endpoint.js';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import { csvInput } from './csv-input.js';
import type { InputFormat } from './input.js';
import { type Input, type ParsedInput, parsedInput, unreadableInput, withIndexes } from './input.js';
import { type Line, linesOf } from './lines.js';
import { ndjsonInput } from './ndjson-input.js';

/** Where inputs come from. */
export interface InputSource {
  readonly chunks: AsyncIterable<Uint8Array>;
  /** Bytes of all of it, where that is known. */
  readonly size: number | undefined;
  close(): Promise<void>;
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'it may not be read',
  EPERM: 'it may not be read',
  EISDIR: 'it is a folder',
};

function unreadableFile(file: string, error: unknown): ExtractError {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  return new ExtractError(
    'invalid_parameter',
    `The input ${file} cannot be read: ${reasons[code] ?? (code || 'it failed')}.`,
    { cause: error },
  );
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

/** Opens a file of inputs. Throws `invalid_parameter` for one that is not there or not readable. */
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

/** One identifying value a line; `nameOf` gives the parameter of a value. */
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

export interface InputOptions {
  readonly format: InputFormat;
  readonly endpoint: Endpoint;
  /** The parameter of a value of plain text. */
  readonly nameOf: (value: string) => string;
}

/** The inputs of a source, in order, each with its index, its line and its parameters or its fault. */
export function readInputs(
  chunks: AsyncIterable<Uint8Array>,
  { format, endpoint, nameOf }: InputOptions,
): AsyncGenerator<Input, void, undefined> {
  const lines = linesOf(chunks);
  switch (format) {
    case 'ndjson':
      return withIndexes(ndjsonInput(lines));
    case 'csv':
      return withIndexes(csvInput(lines, endpoint));
    case 'text':
      return withIndexes(textInput(lines, nameOf));
  }
}
