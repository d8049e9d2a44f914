import type { CacheStore } from './cache-store.js';

/** A cache that is opened when somebody first asks it something. */
export function lateCache(open: () => Promise<CacheStore>): CacheStore {
  let opening: Promise<CacheStore> | undefined;
  let opened: CacheStore | undefined;
  const ready = async () => {
    opening ??= open();
    opened = await opening;
    return opened;
  };
  return {
    get: (key) => (opened === undefined ? ready().then((cache) => cache.get(key)) : opened.get(key)),
    set: async (key, answer, seconds) => (await ready()).set(key, answer, seconds),
    clear: async () => (await ready()).clear(),
    close: async () => (await opening?.catch(() => undefined))?.close(),
  };
}
