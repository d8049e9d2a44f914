import type { Endpoint } from '../endpoint.js';
import type { AnswerSource } from './envelope.js';

// The only place that knows prices. Charges, refunds and estimates use it.

type Priced = Pick<Endpoint, 'credits'>;

/** Returns the credits of an answered call. A failed call is free. */
export function callPrice({ credits }: Priced, source: AnswerSource): number {
  return source === 'sample' ? 0 : credits;
}

/** The documentation's words on the price of a cached answer. */
export const cachedPriceText = 'the price is the same';

/** The same, after a price. */
export const sourcesPriceText = 'cached or not';

/** The documentation's sentence about the price of a call. */
export function priceText({ credits }: Priced): string {
  return `costs ${credits} credits, ${sourcesPriceText}; failed calls are free`;
}

/** Returns the maximum credits of a call, which the balance must cover before the source of the answer is known. */
export function reservedPrice(endpoint: Priced, demo = false): number {
  if (demo) return callPrice(endpoint, 'sample');
  return Math.max(callPrice(endpoint, 'platform'), callPrice(endpoint, 'cache'));
}

/** Returns the maximum credits of so many calls: what a job reserves and an estimate reports. */
export function inputsPrice(endpoint: Priced, inputs: number): number {
  return inputs * reservedPrice(endpoint);
}
