import type { Socket } from 'node:net';
import { ExtractError } from '../../lib/errors/extract-error.js';
import { newRequestId } from '../../lib/runtime/request-id.js';
import { errorText } from '../output/error-answer.js';

/** What Node says of a request that never became one, in words for who sent it. */
const messages: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: 'The URL and the headers are longer than 16 KiB together.',
  ERR_HTTP_REQUEST_TIMEOUT: 'The request did not arrive in time.',
};

/**
 * Answers what cannot be read as HTTP, with the contract's error object like everything else, and hangs up. The
 * status is 400 in each case: 408 and 431 are not among those of the contract.
 */
export function answerClientError(error: NodeJS.ErrnoException, socket: Socket, docsBase: string): void {
  const isGone = error.code === 'ECONNRESET' || !socket.writable;
  // A second fault on a connection that was answered already would put an answer into the middle of the first.
  if (isGone || socket.bytesWritten > 0) {
    socket.destroy();
    return;
  }
  const id = newRequestId();
  const message = messages[error.code ?? ''] ?? 'This is not a request that can be read.';
  const body = errorText(new ExtractError('invalid_parameter', message).within(id, docsBase));
  const head = [
    'HTTP/1.1 400 Bad Request',
    `X-Request-Id: ${id}`,
    'Cache-Control: no-store',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
}
