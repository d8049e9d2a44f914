import { LRUCache } from 'lru-cache';
import type { CacheEntry } from './cache-entry.js';

/** Bytes an entry has besides its texts: objects, list slots and the map's own. */
const overhead = 512;

/** Bytes an entry takes at most: two for each character. */
function size({ answer }: CacheEntry, key: string): number {
  const prints = answer.prints.reduce((sum, print) => sum + print.length + 16, 0);
  const next = answer.next === null ? 0 : JSON.stringify(answer.next).length;
  return 2 * (key.length + answer.data.length + prints + next) + overhead;
}

/**
 * The memory tier: a map that drops the least recently used entries when it grows beyond `bytes`. Entries are stored
 * as they are, neither serialised nor parsed. It does not store an entry that is larger than `bytes`.
 */
export function memoryTier(bytes: number): LRUCache<string, CacheEntry> {
  return new LRUCache({ maxSize: Math.max(1, Math.floor(bytes)), sizeCalculation: size });
}
