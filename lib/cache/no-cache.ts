import type { CacheStore } from './cache-store.js';

/** Keeps nothing: for those who switch the cache off. */
export const noCache: CacheStore = {
  get: () => undefined,
  set: async () => undefined,
  clear: async () => undefined,
  close: async () => undefined,
};
