import { StorageError } from '../../lib/errors/storage-error.js';
import type { Traces } from '../../lib/suppressions/traces.js';
import { type Forgotten, forgottenIn, notReached } from './forgotten.js';

const storeName = 'cached answers in Redis (EXTRACT_CACHE_URL)';
const next = 'Run `extract cache clear`, or wait a day until they expire.';

/** Removes a subject from the answers that servers store in Redis. */
export async function forgetInRedisCache(url: string, traces: Traces): Promise<Forgotten> {
  const { forgetInRedis, maxAnswers } = await import('../../lib/cache/redis/forget-in-redis.js');
  try {
    const { removed, isComplete } = await forgetInRedis(url, traces);
    if (isComplete) return forgottenIn(storeName, removed);
    return notReached(
      storeName,
      `There are more than ${maxAnswers.toLocaleString('en-US')} answers, and not all were examined. ${next}`,
    );
  } catch (error) {
    if (error instanceof StorageError) return notReached(storeName, `${error.message} ${next}`);
    throw error;
  }
}
