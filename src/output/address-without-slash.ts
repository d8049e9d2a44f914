import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * Redirects a GET of an address that ends with a slash to the one without, and returns true if it did. Never from
 * `//host/`, which a browser would take for the address of another host.
 */
export function redirectedWithoutSlash({ method, url }: FastifyRequest, reply: FastifyReply): boolean {
  const [path = '', ...query] = url.split('?');
  const isPage = (method === 'GET' || method === 'HEAD') && /^\/[^/\\].*[^/]\/$/.test(path);
  if (isPage) reply.redirect([path.slice(0, -1), ...query].join('?'), 308);
  return isPage;
}
