import type { CacheStore } from './cache.js';

/** A cache that is opened when somebody first asks it something, and anew when that is after `close`. */
export function lazyCache(open: () => Promise<CacheStore>): CacheStore {
  let opening: Promise<CacheStore> | undefined;
  const ready = () => {
    opening ??= open();
    return opening;
  };
  return {
    get: async (key) => (await ready()).get(key),
    set: async (key, answer, seconds) => (await ready()).set(key, answer, seconds),
    clear: async () => (await ready()).clear(),
    async close() {
      const opened = opening;
      opening = undefined;
      await (await opened?.catch(() => undefined))?.close();
    },
  };
}
