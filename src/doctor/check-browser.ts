import type { Config } from '../../lib/config.js';
import { findBrowser } from '../../lib/web/browser/find.js';
import { type Finding, failed, ok, warning } from './finding.js';

type BrowserSettings = Pick<Config, 'browser' | 'browserPath' | 'browserPlaces'>;

/** Which browser may be asked for pages; nothing is started. Without one, only `EXTRACT_BROWSER=always` fails. */
export function checkBrowser(config: BrowserSettings): Finding {
  if (config.browser === 'never') return ok('browser', 'Not used: EXTRACT_BROWSER is never.');
  const found = findBrowser(config);
  if (found.path === null) {
    const next =
      'Install Chrome, Chromium or Edge and the package playwright-core, or set EXTRACT_BROWSER=never.';
    return config.browser === 'always'
      ? failed('browser', found.missing, next)
      : ok('browser', `None is used. ${found.missing}`);
  }
  if (found.sandbox) return ok('browser', found.path);
  return warning(
    'browser',
    `${found.path} runs without its sandbox, which root cannot have.`,
    'Run extract as another user.',
  );
}
