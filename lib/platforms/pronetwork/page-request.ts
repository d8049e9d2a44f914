import type { PageRequest } from '../../web/page-source.js';

/** A whole page. A browser waits for its key, as a script may stand before the page and lead on to it (2025-2026). */
export const pageRequest = (url: string): PageRequest => ({
  url,
  browser: { holds: ['name="pageKey"'] },
});
