import type { Config } from '../../../lib/config.js';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import { requirePackage } from '../../../lib/runtime/require-package.js';
import { type Finding, failed, ok, warning } from './finding.js';

/**
 * Checks whether the Redis at EXTRACT_CACHE_URL responds; no findings if none is configured. Calls also work without
 * it.
 */
export async function checkCache({
  cache,
  cacheUrl,
}: Pick<Config, 'cache' | 'cacheUrl'>): Promise<readonly Finding[]> {
  if (!cache || cacheUrl === undefined) return [];
  try {
    requirePackage('@redis/client', 'EXTRACT_CACHE_URL');
  } catch (error) {
    if (!(error instanceof ExtractError)) throw error;
    return [failed('cache', error.message, 'Or remove EXTRACT_CACHE_URL.')];
  }
  // Its driver is not part of every installation.
  const { redisTier } = await import('../../../lib/cache/redis/redis-tier.js');
  const faults: string[] = [];
  const tier = redisTier(cacheUrl, (fault) => {
    if (fault !== null) faults.push(fault.message);
  });
  await tier.get('doctor');
  await tier.disconnect();
  const [fault] = faults;
  return fault === undefined
    ? [ok('cache', `Redis at ${new URL(cacheUrl).host} responds`)]
    : [warning('cache', fault, 'Until then, answers are only cached in memory.')];
}
