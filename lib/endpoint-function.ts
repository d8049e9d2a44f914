import type { Envelope } from './call/envelope.js';
import type { Endpoint } from './endpoint.js';
import type { CallSignal } from './runtime/abort.js';

/** What a caller can say beside the parameters. */
export interface FunctionOptions {
  /** Ends the call with the signal's reason; what was charged is given back. */
  readonly signal?: CallSignal | undefined;
}

/** A row of the table as the function of the library: the API's parameters in, `{ data, meta }` out. */
export interface EndpointFunction<Input, Data> {
  (params: Input, options?: FunctionOptions): Promise<Envelope<Data>>;
  /** The row itself. */
  readonly endpoint: Endpoint<Input, Data>;
}

/** Rows in the order of the table. */
export const registeredEndpoints: Endpoint[] = [];

/** Runs a row of the table, as an extractor does. */
type RunEndpoint = <Input, Data>(
  endpoint: Endpoint<Input, Data>,
  params: Input,
  options?: FunctionOptions,
) => Promise<Envelope<Data>>;

let runEndpoint: RunEndpoint = () => {
  throw new Error('The functions run once the library’s index is imported.');
};

/** Names what the functions run on, for the library's index: the table itself knows no extractor. */
export function runFunctionsOn(run: RunEndpoint): void {
  runEndpoint = run;
}

/** Puts an endpoint into the table and gives its function. */
export function defineFunction<Input, Data>(endpoint: Endpoint<Input, Data>): EndpointFunction<Input, Data> {
  registeredEndpoints.push(endpoint as Endpoint);
  return Object.assign(
    async (params: Input, options?: FunctionOptions) => runEndpoint(endpoint, params, options),
    { endpoint },
  );
}
