import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * Redirects a GET with a trailing slash to the address without it, and returns true if it did. Never from `//host/`,
 * which a browser would take for another host.
 */
export function redirectedWithoutSlash({ method, url }: FastifyRequest, reply: FastifyReply): boolean {
  const [path = '', ...query] = url.split('?');
  const isPage = (method === 'GET' || method === 'HEAD') && /^\/[^/\\].*[^/]\/$/.test(path);
  if (isPage) reply.redirect([path.slice(0, -1), ...query].join('?'), 308);
  return isPage;
}
