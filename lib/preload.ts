import { loadDriver } from './sqlite/driver.js';

/**
 * Loads every module of the library that a call imports when it first needs it. A program that must go on for long does
 * so before it takes calls. A module whose file cannot be opened later would fail calls until the next start.
 */
export async function preloadModules(): Promise<void> {
  await Promise.all([
    loadDriver(),
    import('@keyv/sqlite'),
    import('tough-cookie'),
    import('cheerio/slim'),
    import('./cache/open-cache.js'),
    import('./cache/sqlite/answers-table.js'),
    import('./web/network.js'),
    import('./web/beside-browser.js'),
    import('./web/browser/find.js'),
    import('./web/sqlite/sqlite-pace-store.js'),
    import('./platforms/maps/consent-form.js'),
    import('./platforms/maps/review-page.js'),
    import('./platforms/pronetwork/company-page.js'),
    import('./platforms/pronetwork/company-walk.js'),
    import('./platforms/pronetwork/job-walk.js'),
    import('./platforms/pronetwork/post-page.js'),
    import('./platforms/pronetwork/profile-page.js'),
    import('./platforms/pronetwork/profile-posts.js'),
  ]);
}
