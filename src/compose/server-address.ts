import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { makeFolder } from '../../lib/runtime/make-folder.js';

/** The last known address of a data directory's server, for commands that create links to it. */
const addressFile = (home: string) => path.join(home, 'address');

/**
 * Records the address at which a server listens. If the directory cannot be written, more important writes report it.
 */
export function noteAddress(home: string, url: string): void {
  try {
    makeFolder(home);
    writeFileSync(addressFile(home), `${url}\n`, { mode: 0o600 });
  } catch {
    // Links then use the configured address.
  }
}

/** Removes the record when the server stops. A directory that cannot be written does not delay that. */
export function forgetAddress(home: string): void {
  try {
    rmSync(addressFile(home), { force: true });
  } catch {
    // Links lead to the stopped server until another one starts.
  }
}

/** Returns the address of a data directory's server; undefined if none is recorded. */
export function notedAddress(home: string): string | undefined {
  try {
    const text = readFileSync(addressFile(home), 'utf8').trim();
    return URL.canParse(text) ? text : undefined;
  } catch {
    return undefined;
  }
}
