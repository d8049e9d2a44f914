import { pipeline, type Readable, type Transform } from 'node:stream';
import * as zlib from 'node:zlib';
import { bodyTooLarge } from './page.js';

type Decoder = () => Transform;

/** zstd arrived in Node 22.15; the installed types predate it. */
const zstd = (zlib as { createZstdDecompress?: Decoder }).createZstdDecompress;

const decoders: Readonly<Record<string, Decoder>> = {
  gzip: zlib.createGunzip,
  'x-gzip': zlib.createGunzip,
  deflate: zlib.createInflate,
  br: zlib.createBrotliDecompress,
  ...(zstd === undefined ? {} : { zstd }),
};

/** Encodings offered in requests. `deflate` is decoded but not offered, because servers disagree on what it means. */
export const acceptEncoding = zstd === undefined ? 'gzip, br' : 'gzip, br, zstd';

/** Real bodies have one encoding. */
const maxEncodings = 3;

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
 * Returns the decoded body of a response. Memory stays near `maxBytes` whatever the server sends: reading stops at the
 * first byte over the limit and the connection is closed. Throws `platform_changed` for an oversized body,
 * `UnreadableEncoding`, or the stream's or decoder's own error for a truncated or corrupt body.
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
    // Most pages arrive in one chunk, which needs no copy.
    return chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks, size);
  } catch (error) {
    // Some redirects have `content-encoding: gzip` and no bytes: an empty body, not a truncated one.
    if (source.readableEnded && !source.readableDidRead) return new Uint8Array();
    // Ignores errors of the abandoned stream.
    source.on('error', () => {}).destroy();
    throw error;
  }
}
