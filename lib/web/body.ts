import { pipeline, type Readable, type Transform } from 'node:stream';
import * as zlib from 'node:zlib';
import { bodyTooLarge } from './page.js';

type Decoder = () => Transform;

/** zstd came with Node 22.15; the types here are those of Node 20. */
const zstd = (zlib as { createZstdDecompress?: Decoder }).createZstdDecompress;

const decoders: Readonly<Record<string, Decoder>> = {
  gzip: zlib.createGunzip,
  'x-gzip': zlib.createGunzip,
  deflate: zlib.createInflate,
  br: zlib.createBrotliDecompress,
  ...(zstd === undefined ? {} : { zstd }),
};

/** The encodings that requests offer. `deflate` is understood and not offered: servers disagree on what it means. */
export const acceptEncoding = zstd === undefined ? 'gzip, br' : 'gzip, br, zstd';

/** Maximum number of encodings of one body; real bodies have one. */
const maxEncodings = 3;

/** An answer in an encoding that cannot be undone. */
export class UnreadableEncoding extends Error {
  override readonly name = 'UnreadableEncoding';
}

function decodersFor(contentEncoding: string): Transform[] {
  const names = contentEncoding
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity');
  if (names.length > maxEncodings) throw new UnreadableEncoding(`${names.length} encodings`);
  return names.reverse().map((name) => {
    const decoder = Object.hasOwn(decoders, name) ? decoders[name] : undefined;
    if (decoder === undefined) throw new UnreadableEncoding(name);
    return decoder();
  });
}

/**
 * The decoded body of an answer. Memory stays near `maxBytes` whatever is sent. Reading stops at the first byte over
 * it, and the connection is given up. Throws `platform_changed` for that, and `UnreadableEncoding`. Throws what the
 * stream or a decoder throws for a body that is cut off or corrupt.
 */
export async function readBody(
  source: Readable,
  contentEncoding: string,
  contentLength: string | undefined,
  maxBytes: number,
): Promise<Uint8Array> {
  try {
    const stages = decodersFor(contentEncoding);
    if (stages.length === 0 && Number(contentLength) > maxBytes) throw bodyTooLarge(maxBytes);
    const decoded = stages.reduce<Readable>((from, to) => pipeline(from, to, () => {}), source);
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of decoded as AsyncIterable<Uint8Array>) {
      size += chunk.byteLength;
      if (size > maxBytes) throw bodyTooLarge(maxBytes);
      chunks.push(chunk);
    }
    // Most pages come in one piece, which needs no copy.
    return chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks, size);
  } catch (error) {
    // Redirects are sent with `content-encoding: gzip` and nothing at all: that is an empty body, not a cut one.
    if (source.readableEnded && !source.readableDidRead) return new Uint8Array();
    // The listener swallows errors that the stream emits after it was abandoned.
    source.on('error', () => {}).destroy();
    throw error;
  }
}
