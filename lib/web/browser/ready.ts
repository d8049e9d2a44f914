import type { BrowserConfig } from '../../config-browser.js';
import { ExtractError } from '../../errors/extract-error.js';
import type { ProxySettings } from '../proxies.js';
import { findBrowser, loadDriver } from './find.js';

/** The sentence for a browser that is to be asked always and is not there. */
export const withoutBrowser = (missing: string) =>
  new ExtractError('invalid_parameter', `EXTRACT_BROWSER is “always”, and there is no browser. ${missing}`);

/**
 * Loads what drives the browser, where one may be used. A server does so before it listens, so that no request waits
 * for it. Throws `invalid_parameter` where one is to be asked always and there is none.
 */
export async function readyBrowser(config: BrowserConfig & ProxySettings): Promise<void> {
  if (config.browser === 'never') return;
  const found = findBrowser(config);
  if (found.path !== null) await Promise.all([import('./browser-source.js'), loadDriver()]);
  else if (config.browser === 'always') throw withoutBrowser(found.missing);
}
