import type { Config } from '../../../../lib/config.js';
import type { Endpoint } from '../../../../lib/endpoint.js';
import { gapOf } from '../../../../lib/web/gap.js';
import { firstSurface } from '../../../../lib/web/page-source.js';

/** Milliseconds between two calls at the platform's pace; undefined where a server keeps a pace of its own. */
export function callGapMs(
  { site }: Pick<Endpoint, 'platform' | 'site'>,
  { baseUrl, paceMs }: Pick<Config, 'baseUrl' | 'paceMs'>,
): number | undefined {
  return baseUrl === undefined ? gapOf(site, firstSurface(site), { paceMs, concurrency: {} }).ms : undefined;
}
