import { callOfAddress } from './call/address.js';
import type { Envelope } from './call/envelope.js';
import { type FunctionOptions, registeredEndpoints } from './endpoint.js';

/** Parameters that any endpoint may take in addition to its subject. */
export interface AddressParams {
  /** Maximum items per page of a list. */
  readonly limit?: number;
  /** `meta.next_cursor` of the previous page. */
  readonly cursor?: string;
  /** True to skip the cache. */
  readonly fresh?: boolean;
  /** True for sample data, without a request to the platform. */
  readonly demo?: boolean;
  /** True to add each item's source. */
  readonly sources?: boolean;
}

/** An answer, with the path of its endpoint. */
export interface AddressedEnvelope extends Envelope<unknown> {
  /** Such as `shortvideo/profile`. */
  readonly endpoint: string;
}

/**
 * Reads the page at an address with the matching endpoint: a profile, video, post, place or company, or the list of a
 * search page. The answer's `endpoint` tells the type of its data. Throws `invalid_url` if no endpoint reads the page,
 * and the errors of the endpoint.
 */
export async function extract(
  url: string,
  params: AddressParams = {},
  options?: FunctionOptions,
): Promise<AddressedEnvelope> {
  const { endpoint, param, value } = callOfAddress(registeredEndpoints, url);
  const { defaultExtractor } = await import('./base-extractor.js');
  const answer = await defaultExtractor().run<unknown, unknown>(
    endpoint,
    { ...params, [param]: value },
    options,
  );
  return { ...answer, endpoint: endpoint.path };
}
