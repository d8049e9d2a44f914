import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import { newRequestId } from '../../../lib/runtime/request-id.js';
import { errorText } from '../../output/error-answer.js';

/** Status of an expectation that the server does not meet: HTTP's own, and none of the catalogue's. */
const expectationFailed = 417;

/** Answers a request that gets no further than its head, with the contract's error object, and hangs up. */
function refuse(response: ServerResponse, status: number, error: ExtractError, docsBase: string): void {
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

/** How many `Host` headers a request has. Node keeps the first of several and says nothing. */
function countHosts({ rawHeaders }: IncomingMessage): number {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count;
}

/** Refuses requests without a `Host` header, which HTTP/1.0 alone may leave out, and those with several. */
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

/** Refuses an `Expect` header other than `100-continue`. */
export function refuseExpectation(docsBase: string): RequestListener {
  return (_, response) => {
    const message = 'The header Expect may be 100-continue and nothing else. Leave it out.';
    refuse(response, expectationFailed, new ExtractError('invalid_body', message), docsBase);
  };
}

const hasBody = (headers: IncomingMessage['headers']) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** Throws for a body that is packed: the server unpacks none, and would say of its bytes that they are no JSON. */
export function refuseContentEncoding({ headers }: Pick<IncomingMessage, 'headers'>): void {
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? '';
  if (encoding === '' || encoding === 'identity' || !hasBody(headers)) return;
  const name = /^[a-z][\w.-]{0,31}$/.test(encoding) ? ` ${encoding}` : '';
  throw new ExtractError(
    'invalid_body',
    `The body has a Content-Encoding${name}. Send it as it is, without that header.`,
  );
}

/**
 * Forgets the type of a body that does not come. Many clients name one with every request, of `POST` and `DELETE` too;
 * fastify would look for a body of that type, and refuse the request for having none.
 */
export function ignoreTypeOfNoBody({ headers }: Pick<IncomingMessage, 'headers'>): void {
  if (!hasBody(headers)) delete headers['content-type'];
}
