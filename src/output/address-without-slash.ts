import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * Leads a GET of an address that ends with a slash to the one without. True where it did. Never from `//host/`: a browser
 * would take the answer for the address of another host.
 */
export function redirectedWithoutSlash({ method, url }: FastifyRequest, reply: FastifyReply): boolean {
  const [path = '', ...query] = url.split('?');
  const isPage = (method === 'GET' || method === 'HEAD') && /^\/[^/\\].*[^/]\/$/.test(path);
  if (isPage) reply.redirect([path.slice(0, -1), ...query].join('?'), 308);
  return isPage;
}
