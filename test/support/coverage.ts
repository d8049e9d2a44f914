import type { Coverage } from '../../lib/call/coverage.js';

/** The coverage of an answer; by default of a list that ends here. */
export const aCoverage = (more: Partial<Coverage> = {}): Coverage => ({
  ...{ given: 1, total: null, ended: 'end', ignored: [], rounded: [], routes: [] },
  ...more,
});
