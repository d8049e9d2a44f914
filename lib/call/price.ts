import type { Endpoint } from '../endpoint.js';
import type { AnswerSource } from './envelope.js';

// The one place that knows what something costs. Charges, refunds and estimates ask here.

/** The inputs of a price. */
type Priced = Pick<Endpoint, 'credits'>;

/** Credits that one answered call costs, given where its answer came from. A call that fails costs nothing. */
export function callPrice({ credits }: Priced, source: AnswerSource): number {
  return source === 'sample' ? 0 : credits;
}

/** The sentence of the documentation about an answer from the cache. */
export const cachedPriceText = 'the price is the same';

/** The same behind a price. */
export const sourcesPriceText = 'cached or not';

/** The sentence of the documentation about the price of a call. */
export function priceText({ credits }: Priced): string {
  return `costs ${credits} credits, ${sourcesPriceText}; failed calls are free`;
}

/** Credits that one call costs at most. The balance must cover them before the source of the answer is known. */
export function reservedPrice(endpoint: Priced, demo = false): number {
  if (demo) return callPrice(endpoint, 'sample');
  return Math.max(callPrice(endpoint, 'platform'), callPrice(endpoint, 'cache'));
}

/** Credits that so many inputs cost at most, each one call: what a job reserves and an estimate says. */
export function inputsPrice(endpoint: Priced, inputs: number): number {
  return inputs * reservedPrice(endpoint);
}
