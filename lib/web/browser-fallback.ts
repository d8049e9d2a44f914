import type { BrowserUse } from '../config-browser.js';
import type { BrowserSource } from './browser/browser-source.js';
import type { FoundBrowser } from './browser/find.js';
import { withoutBrowser } from './browser/ready.js';
import type { BrowserFallback, NoBrowser, PageSource } from './page-source.js';

export interface BrowserFallbackOptions {
  readonly use: BrowserUse;
  /** Looks for it. */
  find(): FoundBrowser;
  /** Opens the pages of one that was found. */
  open(found: FoundBrowser & { readonly path: string }): Promise<BrowserSource>;
  /** Told of the pages once they are open. */
  onOpen?(source: BrowserSource): void;
}

/** The plain source with a browser to fall back to. The browser is looked for, loaded and started when first needed. */
export function withBrowserFallback(
  plain: PageSource,
  { use, find, open, onOpen }: BrowserFallbackOptions,
): PageSource {
  let resolved: BrowserFallback | NoBrowser | undefined;
  let opening: Promise<BrowserSource> | undefined;

  function resolveBrowser(): BrowserFallback | NoBrowser {
    if (use === 'never') return { when: 'never', hint: null };
    const found = find();
    if (found.path === null) {
      if (use === 'auto') return { when: 'never', hint: `A browser may be given more. ${found.missing}` };
      return { when: 'always', source: () => Promise.reject(withoutBrowser(found.missing)) };
    }
    return {
      when: use === 'always' ? 'always' : 'refused',
      source() {
        opening ??= open(found).then((source) => {
          onOpen?.(source);
          return source;
        });
        return opening;
      },
    };
  }

  return {
    open: (site, signal, options) => plain.open(site, signal, options),
    get browser() {
      resolved ??= resolveBrowser();
      return resolved;
    },
    async close() {
      await Promise.all([plain.close(), opening?.then((source) => source.close())]);
    },
  };
}
