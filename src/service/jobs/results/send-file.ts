import type { FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { byteRange, rangeHeader, sendRangeFault } from './byte-range.js';
import { bodyOf, chunksAt } from './positioned.js';

/** Answers with a file of an account that is open, or the range of it that is asked for, and closes it. Its type is set before. */
export async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  account: string,
  handle: FileHandle,
  docsBase: string,
): Promise<FastifyReply> {
  reply.raw.once('close', () => void handle.close());
  // Making the file takes a while: a client that has left meanwhile closes nothing any more.
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
  // A stream without bytes: of no payload at all, fastify says that its length is 0.
  if (request.method === 'HEAD') return reply.send(Readable.from([]));
  return reply.send(bodyOf(account, chunksAt(handle, from, to)));
}
