import { StorageError, type StorageFault } from '../../errors/storage-error.js';
import { type Clock, systemClock } from '../../runtime/clock.js';
import type { OnCacheFault } from '../cache.js';
import { CacheTimeout, CarefulStore } from '../careful-store.js';
import { type CacheTier, sharedSkewMs, tierOver } from '../tier.js';

/** Milliseconds for a connection or a response: a call waits for it and could fetch meanwhile. */
export const timeoutMs = 2_000;

const unreachable: readonly [StorageFault, string] = [
  'unreachable',
  'Redis cannot be reached. Check that it runs and that EXTRACT_CACHE_URL is correct.',
];

/** Errors by Redis's own message, as far as the operator can fix them. */
const words: readonly (readonly [RegExp, StorageFault, string])[] = [
  [
    /NOAUTH|WRONGPASS|NOPERM|AUTH /,
    'unwritable',
    'Redis refuses the login. Correct user and password in EXTRACT_CACHE_URL.',
  ],
  [
    /^OOM/,
    'full',
    'Redis has no memory left. Set its maxmemory-policy to allkeys-lru, so that old answers make room.',
  ],
  [/READONLY/, 'unwritable', 'Redis is a read-only replica. Set EXTRACT_CACHE_URL to the primary.'],
  [/LOADING|BUSY/, 'locked', 'Redis is busy.'],
  [/MISCONF/, 'full', 'Redis cannot write to its disk. See its log.'],
];

export function cacheFault(cause: unknown): StorageError {
  const text = cause instanceof Error ? cause.message : '';
  const match = words.find(([pattern]) => pattern.test(text));
  const [fault, advice] =
    cause instanceof CacheTimeout
      ? (['unreachable', 'Redis did not respond in time.'] as const)
      : match === undefined
        ? unreachable
        : [match[1], match[2]];
  return new StorageError(fault, `Caching in Redis is off for now. ${advice}`, { cause });
}

/** Returns the second cache tier in Redis or Valkey, whose `maxmemory` limits its size. */
export function redisTier(url: string, onFault: OnCacheFault, clock: Clock = systemClock): CacheTier {
  const store = new CarefulStore({
    async open() {
      const { redisAdapter } = await import('./redis-adapter.js');
      return redisAdapter(url, timeoutMs);
    },
    faultOf: cacheFault,
    timeoutMs,
    clock,
    onFault,
  });
  return tierOver(store, clock, sharedSkewMs);
}
