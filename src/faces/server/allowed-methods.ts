import type { FastifyInstance } from 'fastify';

interface RouteMethods {
  readonly path: RegExp;
  readonly methods: Set<string>;
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** A route's pattern (`/v1/jobs/:id`, `/assets/*`) as an expression for paths. */
function expression(pattern: string): RegExp {
  const parts = pattern
    .split('/')
    .map((part) => (part.startsWith(':') ? '[^/]+' : part === '*' ? '.*' : escaped(part)));
  return new RegExp(`^${parts.join('/')}$`);
}

/**
 * Collects the methods of each route, to distinguish a known path with another method from an unknown path. Call it
 * before routes are added. Returns a function that gives the methods of a path, none for an unknown one.
 */
export function collectMethods(app: FastifyInstance): (path: string) => readonly string[] {
  const routeMethods = new Map<string, RouteMethods>();
  app.addHook('onRoute', ({ url, method }) => {
    // The answer to a browser's question about origins, under every path, whether there is such a path or not.
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
