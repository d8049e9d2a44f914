import type { IncomingHttpHeaders, RequestListener } from 'node:http';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import { isLoopback } from '../../config/loopback.js';
import { forwarded } from './metrics-access.js';
import { refuse } from './request-guards.js';

const hostName = (host: string | undefined) =>
  host !== undefined && URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : '';

/** Returns the part of a request that reveals another machine or website; null for a local request. */
function foreignPart({ host, origin, ...headers }: IncomingHttpHeaders): string | null {
  // A page whose own name resolves to this machine (DNS rebinding).
  if (!isLoopback(hostName(host))) return 'the Host header';
  if (origin !== undefined && origin !== `http://${host}`) return 'the Origin header';
  // Images and links of a page send no origin.
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return 'the Sec-Fetch-Site header';
  return forwarded.some((name) => headers[name] !== undefined) ? 'the header of a proxy' : null;
}

/**
 * Passes on requests from this machine's programs and this server's own pages, and rejects other websites and machines.
 * No request needs a key.
 */
export function onlyThisMachine(next: RequestListener, docsBase: string): RequestListener {
  return (request, response) => {
    const part = foreignPart(request.headers);
    if (part === null) {
      request.headers.authorization = 'Bearer local';
      next(request, response);
      return;
    }
    const message = `This server only answers its own machine, and ${part} shows that the request is from elsewhere.`;
    refuse(response, 403, new ExtractError('invalid_parameter', message, { next: '' }), docsBase);
  };
}
