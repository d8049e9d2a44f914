import { callOfAddress } from './call/address.js';
import type { Envelope } from './call/envelope.js';
import { type FunctionOptions, registeredEndpoints } from './endpoint.js';

/** Parameters that every endpoint may take beside the one that names its subject. */
export interface AddressParams {
  /** Items of a list at most, per page. */
  readonly limit?: number;
  /** `meta.next_cursor` of the page before. */
  readonly cursor?: string;
  /** True to skip the cache. */
  readonly fresh?: boolean;
  /** True for sample data, without a request to the platform. */
  readonly demo?: boolean;
  /** True to say of each item where it stands. */
  readonly sources?: boolean;
}

/** An answer, with the path of the endpoint that gave it. */
export interface AddressedEnvelope extends Envelope<unknown> {
  /** Such as `shortvideo/profile`. */
  readonly endpoint: string;
}

/**
 * Reads the page at an address with the endpoint that it belongs to: a profile, video, post, place or company, or the
 * list of a page that shows a search. `endpoint` of the answer tells its object. Throws `invalid_url` for a page that no
 * endpoint reads, and what the endpoint throws.
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
