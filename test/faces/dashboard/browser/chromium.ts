import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { withoutFeatures } from '../../../../lib/web/browser/launch-arguments.js';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

function runs(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The system's Chromium, or null. */
const reason =
  (process.env.PATH ?? '')
    .split(path.delimiter)
    .flatMap((folder) => names.map((name) => path.join(folder, name)))
    .find(runs) ?? null;

/** Why browser tests are skipped; false if they can run. */
export const skip: string | false =
  reason === null ? `No Chromium was found: none of ${names.join(', ')} is on PATH.` : false;

export function launch(): Promise<Browser> {
  return chromium.launch({
    executablePath: reason ?? '',
    args: [
      '--no-sandbox',
      withoutFeatures,
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}
