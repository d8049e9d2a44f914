import { accessSync, constants, statSync } from 'node:fs';
import type { BrowserConfig } from '../../config-browser.js';
import { ExtractError } from '../../errors/extract-error.js';
import { requirePackage } from '../../runtime/require-package.js';

/** A browser that can be asked, or why there is none. */
export type FoundBrowser =
  | {
      /** Its program. */
      readonly path: string;
      /** False where its own walls around pages cannot stand: for root. */
      readonly sandbox: boolean;
    }
  | {
      readonly path: null;
      /** A sentence on what is missing and what to do. */
      readonly missing: string;
    };

/**
 * Loads the package that drives a browser. It is optional, and bundlers of other programs go on without it only where a
 * failure is caught.
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

/** The sandbox of Chromium does not start for root. */
const isRoot = () => process.getuid?.() === 0;

/**
 * Looks for the system's Chrome, Chromium or Edge, and for the package that drives it. Starts nothing; `extract doctor`
 * and `extract config` report what it gives.
 */
export function findBrowser({
  browserPath: path,
  browserPlaces: places,
}: Pick<BrowserConfig, 'browserPath' | 'browserPlaces'>): FoundBrowser {
  const found = path === undefined ? places.find(isProgram) : isProgram(path) ? path : undefined;
  if (found === undefined) {
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
  return { path: found, sandbox: !isRoot() };
}
