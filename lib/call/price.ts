import type { Endpoint } from '../endpoint.js';
import type { AnswerSource } from './envelope.js';

// The only place that knows what something costs. Charges, refunds and estimates use it.

/** The inputs of a price. */
type Priced = Pick<Endpoint, 'credits'>;

/**
 * Returns the credits that one answered call costs, given the source of its answer. A call that fails costs nothing.
 */
export function callPrice({ credits }: Priced, source: AnswerSource): number {
  return source === 'sample' ? 0 : credits;
}

/** The documentation's words about the price of a cached answer. */
export const cachedPriceText = 'the price is the same';

/** The same, after a price. */
export const sourcesPriceText = 'cached or not';

/** Returns the documentation's sentence about the price of a call. */
export function priceText({ credits }: Priced): string {
  return `costs ${credits} credits, ${sourcesPriceText}; failed calls are free`;
}

/** Returns the maximum credits of one call, which the balance must cover before the source of the answer is known. */
export function reservedPrice(endpoint: Priced, demo = false): number {
  if (demo) return callPrice(endpoint, 'sample');
  return Math.max(callPrice(endpoint, 'platform'), callPrice(endpoint, 'cache'));
}

/** Returns the maximum credits of this many inputs, each one call: what a job reserves and an estimate reports. */
export function inputsPrice(endpoint: Priced, inputs: number): number {
  return inputs * reservedPrice(endpoint);
}
