import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import { newRequestId } from '../../../lib/runtime/request-id.js';
import { errorText } from '../../output/error-answer.js';

/** Node's error for a request that never became one, in words for its sender. */
const messages: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: 'The URL and the headers are longer than 16 KiB together. Send shorter ones.',
  ERR_HTTP_REQUEST_TIMEOUT: 'The request did not arrive in time. Send it again.',
};
const unreadable = 'This is not a request that can be read. Send it as HTTP/1.1 says.';

/** Writes an answer past Node's own responses, and hangs up. */
function hangUp(socket: Socket, status: string, error: ExtractError, docsBase: string): void {
  const id = newRequestId();
  const body = errorText(error.within(id, docsBase));
  const head = [
    `HTTP/1.1 ${status}`,
    `X-Request-Id: ${id}`,
    'Cache-Control: no-store',
    'X-Content-Type-Options: nosniff',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
}

/**
 * The answer that is under way on a connection, as Node's own handling of such errors looks at it. Its types do not
 * name the property.
 */
function answerUnderWay(socket: Socket): ServerResponse | null {
  return (socket as Socket & { readonly _httpMessage?: ServerResponse | null })._httpMessage ?? null;
}

/**
 * Answers what cannot be read as HTTP, with the contract's error object like everything else, and hangs up. The
 * status is 400 where Node would say 408 or 431: those are not among the contract's.
 */
export function answerClientError(error: NodeJS.ErrnoException, socket: Socket, docsBase: string): void {
  const answer = answerUnderWay(socket);
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  if (answer?.req.complete === true) {
    // It is the answer to an earlier request, which leaves first.
    answer.once('close', () => answerClientError(error, socket, docsBase));
    return;
  }
  if (answer?.headersSent === true) {
    // Another answer would stand in the middle of this one.
    socket.destroy();
    return;
  }
  if (error.code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW') {
    hangUp(socket, '413 Payload Too Large', new ExtractError('body_too_large'), docsBase);
    return;
  }
  const message = messages[error.code ?? ''] ?? unreadable;
  hangUp(socket, '400 Bad Request', new ExtractError('invalid_parameter', message), docsBase);
}

/** Answers `CONNECT`: the server is no proxy. */
export function refuseTunnel(socket: Socket, docsBase: string): void {
  const error = new ExtractError('method_not_allowed', 'This server opens no tunnels. Send a GET or a POST.');
  hangUp(socket, '405 Method Not Allowed', error, docsBase);
}
