import type { FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { byteRange, rangeHeader, sendRangeFault } from './byte-range.js';
import { bodyOf, chunksAt } from './positioned.js';

/** Sends an account's open file, or the requested range of it, and closes it. Set the media type before. */
export async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  account: string,
  handle: FileHandle,
  docsBase: string,
): Promise<FastifyReply> {
  reply.raw.once('close', () => void handle.close());
  // The client may have left while the file was created, and would not trigger the close.
  if (reply.raw.destroyed) {
    await handle.close();
    return reply.hijack();
  }
  const { size } = await handle.stat();
  reply.header('Accept-Ranges', 'bytes');
  const range = byteRange(rangeHeader(request, reply), size);
  if (range === 'none') return sendRangeFault(request, reply, size, docsBase);
  const { from, to } = range ?? { from: 0, to: size };
  if (range !== null) reply.code(206).header('Content-Range', `bytes ${from}-${to - 1}/${size}`);
  reply.header('Content-Length', to - from);
  // Without a payload fastify would send a length of 0.
  if (request.method === 'HEAD') return reply.send(Readable.from([]));
  return reply.send(bodyOf(account, chunksAt(handle, from, to)));
}
