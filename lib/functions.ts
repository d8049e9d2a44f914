import type { EndpointCall, EndpointFunction } from './endpoint-function.js';
import type * as table from './endpoints.js';

/** The functions of the table by name. The published declarations spell them out, each with its description. */
export type Functions = {
  readonly [Name in keyof typeof table as (typeof table)[Name] extends { readonly endpoint: unknown }
    ? Name
    : never]: (typeof table)[Name] extends EndpointFunction<infer Input, infer Data>
    ? EndpointCall<Input, Data>
    : never;
};
