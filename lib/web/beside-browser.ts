import type { BrowserUse } from '../config-browser.js';
import type { BrowserSource } from './browser/browser-source.js';
import type { FoundBrowser } from './browser/find.js';
import { withoutBrowser } from './browser/ready.js';
import type { BrowserWay, NoBrowser, PageSource } from './page-source.js';

/** A browser beside the plain way. */
export interface Beside {
  readonly use: BrowserUse;
  /** Looks for it. */
  find(): FoundBrowser;
  /** Opens the pages of one that was found. */
  open(found: FoundBrowser & { readonly path: string }): Promise<BrowserSource>;
  /** Told of the pages once they are open. */
  onOpen?(source: BrowserSource): void;
}

/** The plain source with a browser beside it, which is looked for, loaded and started when it is first needed. */
export function besideBrowser(plain: PageSource, { use, find, open, onOpen }: Beside): PageSource {
  let way: BrowserWay | NoBrowser | undefined;
  let opening: Promise<BrowserSource> | undefined;

  function look(): BrowserWay | NoBrowser {
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
      way ??= look();
      return way;
    },
    async close() {
      await Promise.all([plain.close(), opening?.then((source) => source.close())]);
    },
  };
}
