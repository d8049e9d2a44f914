import type { CacheStore } from './cache.js';

/** Keeps nothing: for those who switch the cache off. */
export const noCache: CacheStore = {
  get: async () => undefined,
  set: async () => undefined,
  clear: async () => undefined,
  close: async () => undefined,
};
