import type { Endpoint } from '../endpoint.js';

/** What a price depends on, beside the endpoint. */
export interface PricedCall {
  /** The answer is sample data. */
  readonly demo: boolean;
  /** The answer came from the cache. */
  readonly cached: boolean;
}

/** Credits that one answered call costs. A call that fails costs nothing. */
export function callPrice({ credits }: Pick<Endpoint, 'credits'>, { demo }: PricedCall): number {
  return demo ? 0 : credits;
}

/** Credits that one call costs at most: what has to be there before it is known where its answer comes from. */
export function reservedPrice(endpoint: Pick<Endpoint, 'credits'>, demo = false): number {
  return callPrice(endpoint, { demo, cached: false });
}
