import { reservedPrice } from '../../../lib/call/price.js';
import type { Endpoint } from '../../../lib/endpoint.js';
import { ExtractError } from '../../../lib/errors/extract-error.js';

/** Throws `insufficient_credits` if the look-up before a run would exceed its limit. */
export function requireWithinLimit(endpoint: Endpoint, demo: boolean, limit: number | undefined): void {
  const price = reservedPrice(endpoint, demo);
  if (limit === undefined || price <= limit) return;
  throw new ExtractError(
    'insufficient_credits',
    `The first call costs ${price} credits and would exceed the limit of ${limit}. Raise the limit to continue.`,
  );
}
