import type { PlatformCounter } from '../../lib/web/platform-counts.js';

/** For tests that do not check the counts of requests. */
export const uncounted: PlatformCounter = {
  addRequest: () => undefined,
  addBytes: () => undefined,
  addRefusal: () => undefined,
};
