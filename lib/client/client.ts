import type { FunctionOptions } from '../endpoint.js';
import type { Functions } from '../functions.js';
import { paths } from './paths.js';
import { type ClientOptions, Server } from './server.js';

/** The functions of the library, run by a server: the same names, parameters, answers and errors. */
export type Client = Functions;

/**
 * Makes a client of a server. It needs `fetch` and no more of the runtime, and holds nothing open between calls.
 * Throws `invalid_parameter` for an address or a key that is none.
 */
export function createClient(options: ClientOptions): Client {
  const server = new Server(options);
  const functions = Object.entries(paths).map(([name, path]) => [
    name,
    (params: Readonly<Record<string, unknown>>, given?: FunctionOptions) =>
      server.get(path, params, given?.signal),
  ]);
  return Object.fromEntries(functions) as Client;
}
