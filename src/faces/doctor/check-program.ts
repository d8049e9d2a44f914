import type { Config } from '../../../lib/config.js';
import { type Driver, loadDriver, nativeModuleFault } from '../../../lib/database/sqlite/driver.js';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import { systemClock } from '../../../lib/runtime/clock.js';
import { tryBrowser } from '../../../lib/web/browser/browser-process.js';
import { findBrowser } from '../../../lib/web/browser/find.js';
import type { ProxySettings } from '../../../lib/web/proxies.js';
import manifest from '../../../package.json' with { type: 'json' };
import { type Finding, failed, ok, warning } from './finding.js';
import { isAtLeast } from './latest-version.js';
import { builtCommit, platformText, sqliteVersion } from './version-details.js';

export function checkNode(version: string): Finding {
  const floor = manifest.engines.node.replace(/^>=/, '');
  if (isAtLeast(version, floor)) return ok('node', version);
  return failed('node', `Node.js ${version} is older than ${floor}.`, `Install Node.js ${floor} or later.`);
}

/** Checks SQLite's native module with an in-memory database. */
export async function checkNativeModule(load: () => Promise<Driver> = loadDriver): Promise<Finding> {
  try {
    return ok('native module', `SQLite ${await sqliteVersion(load)}`);
  } catch (cause) {
    const next = 'Install the package again with this Node.js: npm install -g public-extract.';
    return failed('native module', nativeModuleFault(cause), next);
  }
}

/** Names the exact build, for bug reports. */
export function checkBuild(): Finding {
  return ok('build', `commit ${builtCommit() ?? 'unknown'}, ${platformText()}`);
}

/** Compares this version with the latest; null if unknown. */
export function checkVersion(version: string, latest: string | null): Finding {
  if (latest === null) return ok('version', `${version}; could not look up the latest`);
  if (isAtLeast(version, latest)) return ok('version', `${version}, the latest`);
  return warning(
    'version',
    `This is version ${version}; the latest is ${latest}.`,
    'Install it: npm install -g public-extract. New versions can read changed pages.',
  );
}

type BrowserSettings = Pick<Config, 'browser' | 'browserPath' | 'browserPaths'> & ProxySettings;

/** Checks which browser would be used, and whether it starts. Without one, only `EXTRACT_BROWSER=always` fails. */
export async function checkBrowser(config: BrowserSettings, attempt = tryBrowser): Promise<Finding> {
  if (config.browser === 'never') return ok('browser', 'Not used, because EXTRACT_BROWSER is never.');
  const browser = findBrowser(config);
  if (browser.path === null) {
    const next =
      'Install Chrome, Chromium or Edge and the package playwright-core, or set EXTRACT_BROWSER=never.';
    return config.browser === 'always'
      ? failed('browser', browser.missing, next)
      : ok('browser', `Optional, not available. ${browser.missing}`);
  }
  try {
    await attempt(browser.path, browser.sandbox, systemClock);
  } catch (error) {
    if (!(error instanceof ExtractError)) throw error;
    const next =
      'Start it manually for details, set EXTRACT_BROWSER_PATH to another one, or set EXTRACT_BROWSER=never.';
    return (config.browser === 'always' ? failed : warning)('browser', error.message, next);
  }
  if (browser.sandbox) return ok('browser', browser.path);
  return warning(
    'browser',
    `${browser.path} runs without its sandbox, because root cannot use one.`,
    'Run extract as another user.',
  );
}
