import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import { newRequestId } from '../../../lib/runtime/request-id.js';
import { errorText } from '../../output/error-answer.js';

/** Node's errors about an unparsable request, reworded for its sender. */
const messages: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: 'The URL and headers exceed 16 KiB. Send shorter ones.',
  ERR_HTTP_REQUEST_TIMEOUT: 'The request did not arrive in time. Send it again.',
};
const unreadable = 'The request cannot be parsed. Send a valid HTTP/1.1 request.';

/** Writes a response without Node's own objects, and closes the connection. */
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
 * Returns the response in progress on a connection, which Node's own error handling also consults but its types lack.
 */
function pendingAnswer(socket: Socket): ServerResponse | null {
  return (socket as Socket & { readonly _httpMessage?: ServerResponse | null })._httpMessage ?? null;
}

/**
 * Answers what cannot be parsed as HTTP with the contract's error object, and closes the connection. The status is 400
 * where Node would use 408 or 431, which are not in the contract.
 */
export function answerClientError(error: NodeJS.ErrnoException, socket: Socket, docsBase: string): void {
  const answer = pendingAnswer(socket);
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  if (answer?.req.complete === true) {
    // The response belongs to an earlier request, and is sent first.
    answer.once('close', () => answerClientError(error, socket, docsBase));
    return;
  }
  if (answer?.headersSent === true) {
    // A second response would be inserted into this one.
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

/** Answers `CONNECT`: the server is not a proxy. */
export function refuseTunnel(socket: Socket, docsBase: string): void {
  const error = new ExtractError('method_not_allowed', 'This server is not a proxy. Send a GET or a POST.');
  hangUp(socket, '405 Method Not Allowed', error, docsBase);
}
