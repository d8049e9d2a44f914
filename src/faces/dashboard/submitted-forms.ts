import { LRUCache } from 'lru-cache';
import type { ExpiringStore } from '../../service/expiring-store/expiring-store.js';

const kind = 'form';
/** Milliseconds after which nobody sends the same form once more. */
const lifetimeMs = 24 * 3_600_000;

/** Forms that were taken: one that comes again changes nothing. */
export interface SubmittedForms {
  /** True for the first that comes with this token. */
  claim(token: string): Promise<boolean>;
  /** Takes it back: what the form was for has failed. */
  release(token: string): Promise<void>;
}

/** The forms of all servers, or of this one where there is but one. */
export function submittedForms(expiringStore: ExpiringStore | undefined): SubmittedForms {
  if (expiringStore !== undefined) {
    return {
      claim: (token) => expiringStore.claim(kind, token, lifetimeMs),
      release: (token) => expiringStore.delete(kind, token),
    };
  }
  const tokens = new LRUCache<string, true>({ max: 10_000 });
  return {
    async claim(token) {
      if (tokens.has(token)) return false;
      tokens.set(token, true);
      return true;
    },
    release: async (token) => void tokens.delete(token),
  };
}
