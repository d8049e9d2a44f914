import type { BrowserUse } from '../config-browser.js';
import type { BrowserSource } from './browser/browser-source.js';
import type { FoundBrowser } from './browser/find.js';
import { withoutBrowser } from './browser/ready.js';
import type { BrowserFallback, NoBrowser, PageSource } from './page-source.js';

export interface BrowserFallbackOptions {
  readonly use: BrowserUse;
  find(): FoundBrowser;
  /** Opens a page source on the browser that was found. */
  open(browser: FoundBrowser & { readonly path: string }): Promise<BrowserSource>;
  /** Called with the source once it is open. */
  onOpen?(source: BrowserSource): void;
}

/** Adds a browser fallback to a plain source. The browser is found, loaded and started on first use. */
export function withBrowserFallback(
  plain: PageSource,
  { use, find, open, onOpen }: BrowserFallbackOptions,
): PageSource {
  let resolved: BrowserFallback | NoBrowser | undefined;
  let opening: Promise<BrowserSource> | undefined;

  function resolveBrowser(): BrowserFallback | NoBrowser {
    if (use === 'never') return { when: 'never' };
    const browser = find();
    if (browser.path === null) {
      if (use === 'auto') return { when: 'never' };
      return { when: 'always', source: () => Promise.reject(withoutBrowser(browser.missing)) };
    }
    return {
      when: use === 'always' ? 'always' : 'refused',
      source() {
        opening ??= open(browser).then((source) => {
          onOpen?.(source);
          return source;
        });
        return opening;
      },
    };
  }

  return {
    open: (site, signal, options) => plain.open(site, signal, options),
    refusedLately: async (site) => (await plain.refusedLately?.(site)) ?? [],
    get browser() {
      resolved ??= resolveBrowser();
      return resolved;
    },
    async close() {
      await Promise.all([plain.close(), opening?.then((source) => source.close())]);
    },
  };
}
