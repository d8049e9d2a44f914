import type { Envelope, SourcedEnvelope } from './call/envelope.js';
import type { Endpoint, FunctionOptions } from './endpoint.js';

/** A call of an endpoint: the API's parameters in, `{ data, meta }` out, and `sources` where they are asked for. */
export interface EndpointCall<Input, Data> {
  (params: Input & { readonly sources: true }, options?: FunctionOptions): Promise<SourcedEnvelope<Data>>;
  (params: Input, options?: FunctionOptions): Promise<Envelope<Data>>;
}

/** A row of the table as the function of the library. */
export interface EndpointFunction<Input, Data> extends EndpointCall<Input, Data> {
  /** The endpoint that the function calls: its path, price, parameters and object. */
  readonly endpoint: Endpoint<Input, Data>;
}

/** Rows in the order of the table. */
export const registeredEndpoints: Endpoint[] = [];

/** Puts an endpoint into the table and gives its function, which runs on the extractor of the environment. */
export function defineFunction<Input, Data>(endpoint: Endpoint<Input, Data>): EndpointFunction<Input, Data> {
  registeredEndpoints.push(endpoint as Endpoint);
  const call = async (params: Input, options?: FunctionOptions) => {
    const { defaultExtractor } = await import('./base-extractor.js');
    return defaultExtractor().run(endpoint, params, options);
  };
  // Sources are there where they were asked for: only the answer shows it.
  return Object.assign(call as EndpointCall<Input, Data>, { endpoint });
}
