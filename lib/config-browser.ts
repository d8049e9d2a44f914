import { posix, win32 } from 'node:path';
import * as kind from './config-kinds.js';
import {
  type Environment,
  optional,
  readSettings,
  readText,
  setting,
  type ValuesOf,
} from './config-values.js';

/** When a browser is used. */
export type BrowserUse = 'auto' | 'never' | 'always';

export const browserSettings = {
  browser: setting(
    'EXTRACT_BROWSER',
    kind.oneOf<BrowserUse>(['auto', 'never', 'always'], 'auto, never or always'),
    'auto',
    'When a browser opens the pages: `auto` if plain requests are refused or end early, `always`, or `never`.',
  ),
  browserPath: optional(
    'EXTRACT_BROWSER_PATH',
    kind.text,
    'Path of the browser. Without it, the system’s Chrome, Chromium or Edge.',
  ),
  browserHeaded: setting('EXTRACT_BROWSER_HEADED', kind.boolean, 'false', 'Show the browser’s windows.'),
  browserContexts: setting(
    'EXTRACT_BROWSER_CONTEXTS',
    kind.wholeNumber(1),
    '2',
    'Maximum number of pages open in the browser.',
  ),
} as const;

/** The settings of the browser, as part of a configuration. */
export interface BrowserConfig extends ValuesOf<typeof browserSettings> {
  /** Paths of its executable to try if none is set, likeliest first. */
  readonly browserPaths: readonly string[];
}

const names = [
  'google-chrome',
  'google-chrome-stable',
  'chromium',
  'chromium-browser',
  'chromium-headless-shell',
  'microsoft-edge',
  'microsoft-edge-stable',
];

const applications = ['Google Chrome', 'Chromium', 'Microsoft Edge'];

const windowsPrograms = [
  ['Google', 'Chrome', 'Application', 'chrome.exe'],
  ['Chromium', 'Application', 'chrome.exe'],
  ['Microsoft', 'Edge', 'Application', 'msedge.exe'],
];

/** Returns where Chrome, Chromium and Edge are installed on a system. */
export function browserPathsOf(
  env: Environment,
  system: NodeJS.Platform = process.platform,
): readonly string[] {
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
export function readBrowserConfig(env: Environment, system?: NodeJS.Platform): BrowserConfig {
  return { ...readSettings(browserSettings, env), browserPaths: browserPathsOf(env, system) };
}
