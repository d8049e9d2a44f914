import type { Config } from '../../../../lib/config.js';
import type { Endpoint } from '../../../../lib/endpoint.js';

/** Milliseconds between two calls at the platform's pace; undefined where a server keeps a pace of its own. */
export function callGapMs(
  { platform, site }: Pick<Endpoint, 'platform' | 'site'>,
  { baseUrl, paceMs }: Pick<Config, 'baseUrl' | 'paceMs'>,
): number | undefined {
  return baseUrl === undefined ? (paceMs[platform] ?? site.pace.ms) : undefined;
}
