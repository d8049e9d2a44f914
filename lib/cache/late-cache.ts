import type { CacheStore } from './cache-store.js';

/** A cache that is opened when somebody first asks it something, and anew when that is after `close`. */
export function lateCache(open: () => Promise<CacheStore>): CacheStore {
  let opening: Promise<CacheStore> | undefined;
  let opened: CacheStore | undefined;
  const ready = async () => {
    opening ??= open();
    const now = opening;
    const cache = await now;
    // Closed meanwhile: that cache is nobody's any more.
    if (now === opening) opened = cache;
    return cache;
  };
  return {
    get: (key) => (opened === undefined ? ready().then((cache) => cache.get(key)) : opened.get(key)),
    set: async (key, answer, seconds) => (await ready()).set(key, answer, seconds),
    clear: async () => (await ready()).clear(),
    async close() {
      const was = opening;
      opening = undefined;
      opened = undefined;
      await (await was?.catch(() => undefined))?.close();
    },
  };
}
