import type { FastifyInstance } from 'fastify';

/** A route as the server's own router knows it. */
export interface Route {
  readonly method: string;
  /** With `:name` and `*` as they are. */
  readonly path: string;
}

const line = /^((?:[│ ] {3})*)[├└]── (.*?)(?: \(([A-Z, ]+)\))?$/;

/** Every route of a server, read from its router: a test that goes through them forgets none. */
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
