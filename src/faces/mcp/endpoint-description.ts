import { sourcesPriceText } from '../../../lib/call/price.js';
import type { Endpoint } from '../../../lib/endpoint.js';

/** Formats seconds in words: “12 hours”. */
export function lifetime(seconds: number): string {
  const [count, unit] = seconds % 3600 === 0 ? [seconds / 3600, 'hour'] : [seconds, 'second'];
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

/** Returns “Exactly one of username and url is required.” if that applies. */
export function pairSentence({ exactlyOne }: Pick<Endpoint, 'exactlyOne'>): string {
  return exactlyOne === null ? '' : `Give exactly one of ${exactlyOne.join(' and ')}.`;
}

/** Returns the description of an endpoint for its tool: its data, source, use and price. */
export function endpointDescription(endpoint: Endpoint): string {
  const { summary, description, credits, cacheSeconds, page } = endpoint;
  const pages = page === null ? '' : ` a page of up to ${page.max} items`;
  return [
    `${summary}.`,
    pairSentence(endpoint),
    description,
    `Costs ${credits} credits${pages}, ${sourcesPriceText} (for ${lifetime(cacheSeconds)}); failed calls are free.`,
    page === null ? '' : 'For the next page pass meta.next_cursor as cursor, with the same other parameters.',
  ]
    .filter((sentence) => sentence !== '')
    .join(' ');
}
