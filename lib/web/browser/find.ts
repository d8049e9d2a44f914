import { accessSync, constants, statSync } from 'node:fs';
import { basename } from 'node:path';
import type { BrowserConfig } from '../../config-browser.js';
import { ExtractError } from '../../errors/extract-error.js';
import { requirePackage } from '../../runtime/require-package.js';
import type { ProxySettings } from '../proxies.js';

/** An installed browser, or the reason there is none. */
export type FoundBrowser =
  | {
      /** Path of the executable. */
      readonly path: string;
      /** False for root, for whom Chromium's sandbox does not start. */
      readonly sandbox: boolean;
    }
  | {
      readonly path: null;
      /** What is missing and how to install it. */
      readonly missing: string;
    };

/**
 * Loads the package that drives a browser. It is optional, and bundlers tolerate its absence only if the failure is
 * caught.
 */
export const loadDriver = () =>
  import('playwright-core').catch((cause: unknown) => {
    throw cause;
  });

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

const isRoot = () => process.getuid?.() === 0;

/** The headless shell of Chromium ignores PAC scripts and would bypass the proxy (156, 2026-11). */
const isShell = (file: string) => /headless[-_]shell/.test(basename(file));

/** Finds the system's Chrome, Chromium or Edge and the package that drives it. Starts nothing. */
export function findBrowser({
  browserPath: path,
  browserPaths: paths,
  httpsProxy,
  httpProxy,
}: Pick<BrowserConfig, 'browserPath' | 'browserPaths'> & ProxySettings): FoundBrowser {
  const programs = (path === undefined ? paths : [path]).filter(isProgram);
  const isProxied = Boolean(httpsProxy || httpProxy);
  const program = programs.find((file) => !(isProxied && isShell(file)));
  if (program === undefined && programs[0] !== undefined) {
    const missing = `${programs[0]} does not support proxy rules, and a proxy is set: install Chrome or Chromium, or name it in EXTRACT_BROWSER_PATH.`;
    return { path: null, missing };
  }
  if (program === undefined) {
    const missing =
      path === undefined
        ? 'No Chrome, Chromium or Edge was found: install one, or name its program in EXTRACT_BROWSER_PATH.'
        : `EXTRACT_BROWSER_PATH names no program that can be run: ${path}.`;
    return { path: null, missing };
  }
  try {
    requirePackage('playwright-core', 'A browser');
  } catch (error) {
    if (!(error instanceof ExtractError)) throw error;
    return { path: null, missing: error.message };
  }
  return { path: program, sandbox: !isRoot() };
}
