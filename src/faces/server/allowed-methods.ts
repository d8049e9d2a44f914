import type { FastifyInstance } from 'fastify';

interface RouteMethods {
  readonly path: RegExp;
  readonly methods: Set<string>;
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Converts a route's pattern (`/v1/jobs/:id`, `/assets/*`) to an expression for paths. */
function expression(pattern: string): RegExp {
  const parts = pattern
    .split('/')
    .map((part) => (part.startsWith(':') ? '[^/]+' : part === '*' ? '.*' : escaped(part)));
  return new RegExp(`^${parts.join('/')}$`);
}

/**
 * Collects the methods of each route, to distinguish a known path with another method from an unknown path. Must be
 * called before routes are added. Returns a function for the methods of a path, none if it is unknown.
 */
export function collectMethods(app: FastifyInstance): (path: string) => readonly string[] {
  const routeMethods = new Map<string, RouteMethods>();
  app.addHook('onRoute', ({ url, method }) => {
    // The response to CORS preflights, under every path, whether or not it exists.
    if (url === '*') return;
    const entry = routeMethods.get(url) ?? { path: expression(url), methods: new Set<string>() };
    routeMethods.set(url, entry);
    for (const one of [method].flat()) entry.methods.add(one);
  });
  return (path) =>
    [...routeMethods.values()]
      .filter((one) => one.path.test(path))
      .flatMap(({ methods }) => [...methods])
      .sort();
}
