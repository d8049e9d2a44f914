import { loadDriver } from './database/sqlite/driver.js';

/** Where the cache stores answers beyond memory: a file, Redis, or a database table. */
type CacheKind = 'file' | 'redis' | 'postgres';

async function preloadFiles(): Promise<void> {
  await Promise.all([
    loadDriver(),
    import('@keyv/sqlite'),
    import('./cache/sqlite/answers-table.js'),
    import('./web/sqlite/pace-file.js'),
  ]);
}

async function preloadCache(kind: CacheKind): Promise<void> {
  if (kind === 'redis') {
    await Promise.all([import('./cache/redis/redis-tier.js'), import('./cache/redis/redis-adapter.js')]);
  } else if (kind === 'postgres') {
    await import('./cache/postgres/answers-adapter.js');
  }
}

/**
 * Loads every module that the library imports lazily. For long-running programs, before they accept calls: a module
 * that could not be opened later would fail calls until the next start. `state` is the program's storage.
 */
export async function preloadModules(
  { cacheUrl }: { readonly cacheUrl?: string | undefined } = {},
  state: 'files' | 'database' = 'files',
): Promise<void> {
  const localCache = state === 'files' ? 'file' : 'postgres';
  await Promise.all([
    state === 'files' ? preloadFiles() : undefined,
    preloadCache(cacheUrl === undefined ? localCache : 'redis'),
    import('tough-cookie'),
    import('cheerio/slim'),
    import('./cache/open-cache.js'),
    import('./suppressions/suppressed-subjects.js'),
    import('./web/network.js'),
    import('./web/browser-fallback.js'),
    import('./web/browser/find.js'),
    import('./platforms/maps/consent-form.js'),
    import('./platforms/maps/review-page.js'),
    import('./platforms/pronetwork/company-page.js'),
    import('./platforms/pronetwork/company-posts.js'),
    import('./platforms/pronetwork/company-walk.js'),
    import('./platforms/pronetwork/job-fragments.js'),
    import('./platforms/pronetwork/job-page.js'),
    import('./platforms/pronetwork/post-page.js'),
    import('./platforms/pronetwork/profile-page.js'),
    import('./platforms/pronetwork/profile-posts.js'),
    import('./platforms/pronetwork/job-list.js'),
    import('./platforms/pronetwork/job-search-page.js'),
    import('./platforms/pronetwork/outcome.js'),
    import('./platforms/pronetwork/post-counts.js'),
    import('./platforms/pronetwork/post-media.js'),
    import('./platforms/pronetwork/post-selectors.js'),
    import('./read/html-tree.js'),
  ]);
}
