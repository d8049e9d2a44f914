import type { Coverage } from '../../lib/call/coverage.js';

/** The coverage of an answer, of a list that ends here if nothing else is said. */
export const aCoverage = (more: Partial<Coverage> = {}): Coverage => ({
  ...{ given: 1, total: null, ended: 'end', ignored: [], rounded: [], routes: [] },
  ...more,
});
