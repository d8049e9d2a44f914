import type { FastifyInstance } from 'fastify';

/** A route of the server's own router. */
export interface Route {
  readonly method: string;
  /** With `:name` and `*` unchanged. */
  readonly path: string;
}

const line = /^((?:[│ ] {3})*)[├└]── (.*?)(?: \(([A-Z, ]+)\))?$/;

/** Returns every route of a server from its router, so that tests cover all of them. */
export async function routesOf(app: FastifyInstance): Promise<readonly Route[]> {
  await app.ready();
  const routes: Route[] = [];
  const above: string[] = [];
  for (const text of app.printRoutes({ commonPrefix: false }).split('\n')) {
    const match = line.exec(text);
    if (match === null) continue;
    const [, indent = '', part = '', methods = ''] = match;
    const depth = indent.length / 4;
    above.length = depth;
    above.push(part);
    const path = above.join('');
    for (const method of methods.split(', ').filter((one) => one !== '')) routes.push({ method, path });
  }
  return routes;
}
