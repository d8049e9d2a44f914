import type { Endpoint } from '../../lib/endpoint.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The row of the table that a route answers for. */
    readonly endpoint?: Endpoint;
  }
}
