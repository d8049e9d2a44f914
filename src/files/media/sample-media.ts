import { hash } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';
import type { MediaAnswer, MediaPort } from '../../../lib/web/media-source.js';

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Builds a PNG chunk: length, name, content and checksum. */
function chunk(name: string, content: Buffer): Buffer {
  const typedContent = Buffer.concat([Buffer.from(name, 'latin1'), content]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  sum.writeUInt32BE(crc32(typedContent));
  return Buffer.concat([length, typedContent, sum]);
}

const side = 64;

/** Builds a square PNG in a colour derived from the address, with a comment that it is a sample. */
function samplePicture(address: string): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(side, 0);
  head.writeUInt32BE(side, 4);
  head.set([8, 2], 8);
  const colour = hash('sha256', address, 'buffer').subarray(0, 3);
  const row = Buffer.concat([Buffer.alloc(1), Buffer.concat(Array.from({ length: side }, () => colour))]);
  return Buffer.concat([
    signature,
    chunk('IHDR', head),
    chunk('tEXt', Buffer.from(`Comment\0Sample instead of ${address}`, 'latin1')),
    chunk('IDAT', deflateSync(Buffer.concat(Array.from({ length: side }, () => row)))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

const sampleCaptions = (address: string) =>
  Buffer.from(
    `WEBVTT\n\n00:00:00.000 --> 00:00:02.000\nSample instead of the captions at\n${new URL(address).pathname}\n`,
  );

/** Serves sample pictures and captions for any address, without network. */
export const sampleMedia: MediaPort = {
  isOnHosts: (address) => URL.canParse(address),
  async fetch(address, { accept }, readAnswer, signal) {
    signal.throwIfAborted();
    const isCaptions = accept === 'text/vtt';
    const body = isCaptions ? sampleCaptions(address) : samplePicture(address);
    const headers: Readonly<Record<string, string>> = {
      'content-type': isCaptions ? 'text/vtt' : 'image/png',
      'content-length': String(body.length),
    };
    const answer: MediaAnswer = { status: 200, header: (name) => headers[name], body: bytes(body) };
    return readAnswer(answer);
  },
  close: async () => undefined,
};

async function* bytes(body: Uint8Array): AsyncGenerator<Uint8Array, void, undefined> {
  yield body;
}
