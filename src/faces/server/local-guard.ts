import type { IncomingHttpHeaders, RequestListener } from 'node:http';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import { isLoopback } from '../../config/loopback.js';
import { forwarded } from './metrics-access.js';
import { refuse } from './request-guards.js';

const hostName = (host: string | undefined) =>
  host !== undefined && URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : '';

/** Returns why a request does not come from this machine; null for one that does. */
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
 * Passes on requests of programs of this machine and of this server's own pages, and refuses those of other websites
 * and machines. Nobody needs a key, so each request counts as having one.
 */
export function onlyThisMachine(next: RequestListener, docsBase: string): RequestListener {
  return (request, response) => {
    const part = foreignPart(request.headers);
    if (part === null) {
      request.headers.authorization = 'Bearer local';
      next(request, response);
      return;
    }
    const message = `This server answers its own machine alone, and ${part} says that the request is from elsewhere.`;
    refuse(response, 403, new ExtractError('invalid_parameter', message, { next: '' }), docsBase);
  };
}
