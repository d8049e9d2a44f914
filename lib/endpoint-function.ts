import type { EnvelopeOf } from './call/envelope.js';
import { type Endpoint, type FunctionOptions, registeredEndpoints } from './endpoint.js';

/** Infers the value of `sources`. Editors show the description of the endpoint’s own parameter. */
interface SourcesParam<Sources extends boolean> {
  readonly sources?: Sources | undefined;
}

/**
 * A call of an endpoint: takes the API's parameters, and returns `{ data, meta }`, with `sources` if requested. A
 * single signature with the same type parameter for every endpoint: the compiler can call a union of these, as in
 * `client[name](…)`, but not a union of overloads.
 */
export type EndpointCall<Input, Data> = <Sources extends boolean = false>(
  params: Input & SourcesParam<Sources>,
  options?: FunctionOptions,
) => Promise<EnvelopeOf<Data, Sources>>;

/** A row of the table as a function of the library. */
export interface EndpointFunction<Input, Data> extends EndpointCall<Input, Data> {
  /** The endpoint that the function calls: its path, price, parameters and object. */
  readonly endpoint: Endpoint<Input, Data>;
}

/** Adds an endpoint to the table and returns its function, which runs on the default extractor. */
export function defineFunction<Input, Data>(endpoint: Endpoint<Input, Data>): EndpointFunction<Input, Data> {
  registeredEndpoints.push(endpoint as Endpoint);
  const call = async (params: Input, options?: FunctionOptions) => {
    const { defaultExtractor } = await import('./base-extractor.js');
    return defaultExtractor().run(endpoint, params, options);
  };
  // Whether there are sources depends on the parameters, which only the answer shows.
  return Object.assign(call as EndpointCall<Input, Data>, { endpoint });
}
