import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { loopTurns } from '../../../lib/runtime/loop-turns.js';

/** Bytes of a refused body that are taken and dropped. */
const maxBytes = 64 * 1024 * 1024;
/** Bytes that are dropped before others have their turn, and the milliseconds that they take. */
const [bytesPerTurn, blockMs] = [256 * 1024, 0.1];

/** Whether the client still sends its body when the answer leaves. */
function isSending({ raw }: FastifyRequest): boolean {
  const { 'transfer-encoding': encoding, 'content-length': length } = raw.headers;
  return raw.complete === false && (encoding !== undefined || Number(length) > 0);
}

/** Ends the sending side of the connection, where this answer is the one that leaves on it. */
function endSending({ socket, headersSent, writableLength }: ServerResponse): void {
  if (headersSent && writableLength === 0) socket?.end();
}

/** The answer; it ends when the body has come, or more of it than is taken. */
async function* beforeRest(text: string, { raw, ip }: FastifyRequest, reply: FastifyReply) {
  yield Buffer.from(text);
  await setImmediate();
  endSending(reply.raw);
  raw.unpipe();
  let bytes = 0;
  let untilTurn = bytesPerTurn;
  try {
    for await (const chunk of raw.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > maxBytes) return;
      untilTurn -= chunk.length;
      if (untilTurn > 0) continue;
      untilTurn = bytesPerTurn;
      await loopTurns.next(ip, blockMs);
    }
  } catch {
    // The client has left, or took too long: nobody waits for the end.
  }
}

/**
 * A refusal as it is sent to a client that still sends its body. A connection that is closed over bytes that nobody read
 * is reset, and most clients then report a broken pipe in place of the answer. So the rest is taken and dropped,
 * for as long as any request may take to arrive.
 */
export function refusalOf(text: string, request: FastifyRequest, reply: FastifyReply): string | Readable {
  if (reply.statusCode < 400 || !isSending(request)) return text;
  reply.header('Connection', 'close').header('Content-Length', Buffer.byteLength(text));
  return Readable.from(beforeRest(text, request, reply), { objectMode: false });
}
