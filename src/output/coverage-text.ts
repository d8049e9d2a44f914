import type { Coverage } from '../../lib/call/coverage.js';
import type { Endpoint } from '../../lib/endpoint.js';
import { brandOf, type Platform } from '../../lib/platforms.js';
import { integerText, quantity } from './number-text.js';

/** The `ended` values of lists that visitors see only part of. */
const partEnds: ReadonlySet<string> = new Set(['visitors', 'repeated', 'refused']);

/** Returns true for a list that is known to be incomplete and has no next page. */
export const isPart = ({ ended, given, total }: Coverage) =>
  partEnds.has(ended) || (ended === 'unknown' && total !== null && given < total);

function reason(brand: string, { ended }: Coverage): string {
  if (ended === 'visitors') return `${brand} shows visitors no more`;
  if (ended === 'repeated') return `${brand} returned the same page again`;
  if (ended === 'refused') return `${brand} refused the rest`;
  return `${brand} does not say where the rest is`;
}

/** Returns the coverage as one line; empty for a complete answer. */
export function coverageText(
  { platform, returns }: Pick<Endpoint, 'platform' | 'returns'>,
  coverage: Coverage,
): string {
  const { given, total } = coverage;
  const brand = brandOf(platform);
  const noun = (returns.meta()?.id ?? 'item').replace(/^.*_/, '');
  const amount = total === null ? quantity(given, noun) : `${integerText(given)} of ${quantity(total, noun)}`;
  const parts = [
    ...(isPart(coverage) ? [`${amount}: ${reason(brand, coverage)}.`] : []),
    ...limits(platform, coverage),
  ];
  return parts.join(' ');
}

/** Returns sentences about filters that were not applied and numbers that are rounded. */
export function limits(
  platform: Platform,
  { ignored, rounded }: Pick<Coverage, 'ignored' | 'rounded'>,
): readonly string[] {
  return [
    ...(ignored.length === 0 ? [] : [`${brandOf(platform)} ignores ${ignored.join(', ')} for visitors.`]),
    ...(rounded.length === 0 ? [] : [`Rounded: ${rounded.join(', ')}.`]),
  ];
}
