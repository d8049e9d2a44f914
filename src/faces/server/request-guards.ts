import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import { newRequestId } from '../../../lib/runtime/request-id.js';
import { errorText } from '../../output/error-answer.js';

/** Status of an expectation that cannot be met; defined by HTTP, not in the catalogue. */
const expectationFailed = 417;

/** Answers a request after reading only its head, with the contract's error object, and closes the connection. */
export function refuse(
  response: ServerResponse,
  status: number,
  error: ExtractError,
  docsBase: string,
): void {
  const id = newRequestId();
  const body = errorText(error.within(id, docsBase));
  response.writeHead(status, {
    'X-Request-Id': id,
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    Connection: 'close',
  });
  response.end(body);
}

/** Counts the `Host` headers of a request; of several, Node silently keeps the first. */
function countHosts({ rawHeaders }: IncomingMessage): number {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count;
}

/** Rejects requests with several `Host` headers, or without one, which only HTTP/1.0 allows. */
export function requireHost(next: RequestListener, docsBase: string): RequestListener {
  return (request, response) => {
    const hosts = countHosts(request);
    if (hosts === 1 || (hosts === 0 && request.httpVersion === '1.0')) {
      next(request, response);
      return;
    }
    const what =
      hosts === 0 ? 'The request has no Host header.' : 'The request has more than one Host header.';
    refuse(response, 400, new ExtractError('invalid_parameter', `${what} Send exactly one.`), docsBase);
  };
}

/** Rejects an `Expect` header other than `100-continue`. */
export function refuseExpectation(docsBase: string): RequestListener {
  return (_, response) => {
    const message = 'The Expect header can only be 100-continue. Omit it.';
    refuse(response, expectationFailed, new ExtractError('invalid_body', message), docsBase);
  };
}

const hasBody = (headers: IncomingMessage['headers']) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** Throws for a compressed body. The server does not decompress, and would report invalid JSON. */
export function refuseContentEncoding({ headers }: Pick<IncomingMessage, 'headers'>): void {
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? '';
  if (encoding === '' || encoding === 'identity' || !hasBody(headers)) return;
  const name = /^[a-z][\w.-]{0,31}$/.test(encoding) ? ` ${encoding}` : '';
  throw new ExtractError(
    'invalid_body',
    `The body has a Content-Encoding${name}. Send it uncompressed, without that header.`,
  );
}

/**
 * Drops the content type of an empty body. Many clients send one with every request, including `POST` and `DELETE`;
 * fastify would expect a body of that type.
 */
export function ignoreTypeOfNoBody({ headers }: Pick<IncomingMessage, 'headers'>): void {
  if (!hasBody(headers)) delete headers['content-type'];
}
