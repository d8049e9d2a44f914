import type { Envelope } from './call/envelope.js';
import type { Endpoint, FunctionOptions } from './endpoint.js';

/** A row of the table as the function of the library: the API's parameters in, `{ data, meta }` out. */
export interface EndpointFunction<Input, Data> {
  (params: Input, options?: FunctionOptions): Promise<Envelope<Data>>;
  /** The endpoint that the function calls: its path, price, parameters and object. */
  readonly endpoint: Endpoint<Input, Data>;
}

/** Rows in the order of the table. */
export const registeredEndpoints: Endpoint[] = [];

/** Puts an endpoint into the table and gives its function, which runs on the extractor of the environment. */
export function defineFunction<Input, Data>(endpoint: Endpoint<Input, Data>): EndpointFunction<Input, Data> {
  registeredEndpoints.push(endpoint as Endpoint);
  return Object.assign(
    async (params: Input, options?: FunctionOptions) => {
      const { defaultExtractor } = await import('./base-extractor.js');
      return defaultExtractor().run(endpoint, params, options);
    },
    { endpoint },
  );
}
