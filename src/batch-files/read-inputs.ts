import type { FileHandle } from 'node:fs/promises';
import { open } from 'node:fs/promises';
import type { Endpoint } from '../../lib/endpoint.js';
import { ExtractError } from '../../lib/errors/extract-error.js';
import { csvInput } from './csv-input.js';
import { counted, type Input } from './input.js';
import type { InputFormat } from './input-format.js';
import { linesOf } from './lines.js';
import { ndjsonInput } from './ndjson-input.js';
import { textInput } from './text-input.js';

/** Where inputs come from. */
export interface Source {
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
export async function openSource(file: string): Promise<Source> {
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

export interface Reading {
  readonly format: InputFormat;
  readonly endpoint: Endpoint;
  /** Which parameter a value of plain text is. */
  readonly nameOf: (value: string) => string;
}

/** The inputs of a source, in order, each with its place, its line and what it is. */
export function readInputs(
  chunks: AsyncIterable<Uint8Array>,
  { format, endpoint, nameOf }: Reading,
): AsyncGenerator<Input, void, undefined> {
  const lines = linesOf(chunks);
  switch (format) {
    case 'ndjson':
      return counted(ndjsonInput(lines));
    case 'csv':
      return counted(csvInput(lines, endpoint));
    case 'text':
      return counted(textInput(lines, nameOf));
  }
}
