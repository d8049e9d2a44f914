import { posix, win32 } from 'node:path';
import { type Environment, readBoolean, readText, readWholeNumber } from './config-values.js';
import { ExtractError } from './errors/extract-error.js';

/** When a browser is asked. */
export type BrowserUse = 'auto' | 'never' | 'always';

/** The settings of the browser, as part of a configuration. */
export interface BrowserConfig {
  /** When a browser opens the pages: where the plain way is refused or ends early, never, or always. */
  readonly browser: BrowserUse;
  /** Program of the browser; the system's Chrome, Chromium or Edge where none is named. */
  readonly browserPath: string | undefined;
  /** Shows the browser's windows. */
  readonly browserHeaded: boolean;
  /** Pages open in the browser at once. */
  readonly browserContexts: number;
  /** Where its program is looked for where none is named, the likelier places first. */
  readonly browserPlaces: readonly string[];
}

const names = [
  'google-chrome',
  'google-chrome-stable',
  'chromium',
  'chromium-browser',
  'microsoft-edge',
  'microsoft-edge-stable',
];

const applications = ['Google Chrome', 'Chromium', 'Microsoft Edge'];

const windowsPrograms = [
  ['Google', 'Chrome', 'Application', 'chrome.exe'],
  ['Chromium', 'Application', 'chrome.exe'],
  ['Microsoft', 'Edge', 'Application', 'msedge.exe'],
];

/** Where Chrome, Chromium and Edge are installed on a kind of system. */
function placesOf(env: Environment, system: NodeJS.Platform): string[] {
  if (system === 'win32') {
    const folders = ['PROGRAMFILES', 'PROGRAMFILES(X86)', 'LOCALAPPDATA'].map((name) => readText(env, name));
    return windowsPrograms.flatMap((parts) =>
      folders.flatMap((folder) => (folder === undefined ? [] : [win32.join(folder, ...parts)])),
    );
  }
  if (system === 'darwin') {
    const roots = ['/', readText(env, 'HOME')].filter((root) => root !== undefined);
    return applications.flatMap((name) =>
      roots.map((root) => posix.join(root, 'Applications', `${name}.app`, 'Contents', 'MacOS', name)),
    );
  }
  const folders = (readText(env, 'PATH') ?? '').split(':').filter((folder) => posix.isAbsolute(folder));
  return names.flatMap((name) => folders.map((folder) => posix.join(folder, name)));
}

/** Reads the settings of the browser. Throws `invalid_parameter`. */
export function readBrowserConfig(
  env: Environment,
  system: NodeJS.Platform = process.platform,
): BrowserConfig {
  const use = readText(env, 'EXTRACT_BROWSER')?.toLowerCase() ?? 'auto';
  if (use !== 'auto' && use !== 'never' && use !== 'always') {
    throw new ExtractError('invalid_parameter', 'The setting EXTRACT_BROWSER must be auto, never or always.');
  }
  return {
    browser: use,
    browserPath: readText(env, 'EXTRACT_BROWSER_PATH'),
    browserHeaded: readBoolean(env, 'EXTRACT_BROWSER_HEADED', false),
    browserContexts: readWholeNumber(env, 'EXTRACT_BROWSER_CONTEXTS', 1) ?? 2,
    browserPlaces: placesOf(env, system),
  };
}
