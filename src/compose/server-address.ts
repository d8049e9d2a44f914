import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { makeFolder } from '../../lib/runtime/make-folder.js';

/** The address that the server of a data directory was last reached at, for commands that make links to it. */
const addressFile = (home: string) => path.join(home, 'address');

/** Notes where a server listens. A directory that cannot be written to is told by what matters there. */
export function noteAddress(home: string, url: string): void {
  try {
    makeFolder(home);
    writeFileSync(addressFile(home), `${url}\n`, { mode: 0o600 });
  } catch {
    // Links are then made for the address that is set.
  }
}

/** Forgets it when the server stops, which no directory that cannot be written to holds up. */
export function forgetAddress(home: string): void {
  try {
    rmSync(addressFile(home), { force: true });
  } catch {
    // Links go to a server that is no longer there, until another one is.
  }
}

/** Where the server of a data directory listens; undefined where none has said so. */
export function notedAddress(home: string): string | undefined {
  try {
    const text = readFileSync(addressFile(home), 'utf8').trim();
    return URL.canParse(text) ? text : undefined;
  } catch {
    return undefined;
  }
}
