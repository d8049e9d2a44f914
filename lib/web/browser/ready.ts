import type { BrowserConfig } from '../../config-browser.js';
import { invalidParameter } from '../../errors/extract-error.js';
import type { ProxySettings } from '../proxies.js';
import { findBrowser, loadDriver } from './find.js';

/** The error message if a browser is required and none is installed. */
export const withoutBrowser = (missing: string) =>
  invalidParameter(`EXTRACT_BROWSER is “always”, but no browser can be used. ${missing}`);

/**
 * Loads the browser driver if a browser may be used. A server does this before it listens, so that no request waits for
 * it. Throws `invalid_parameter` if a browser is required and none is installed.
 */
export async function readyBrowser(config: BrowserConfig & ProxySettings): Promise<void> {
  if (config.browser === 'never') return;
  const browser = findBrowser(config);
  if (browser.path !== null) await Promise.all([import('./browser-source.js'), loadDriver()]);
  else if (config.browser === 'always') throw withoutBrowser(browser.missing);
}
