import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { makeFolder } from '../../lib/runtime/make-folder.js';

/** The last known address of the server, for commands that create links to it. */
const addressFile = (home: string) => path.join(home, 'address');

/**
 * Records the address at which a server listens. A directory that cannot be written is reported by more important
 * writes.
 */
export function noteAddress(home: string, url: string): void {
  try {
    makeFolder(home);
    writeFileSync(addressFile(home), `${url}\n`, { mode: 0o600 });
  } catch {
    // Links then use the configured address.
  }
}

/** A directory that cannot be written must not delay the stop. */
export function forgetAddress(home: string): void {
  try {
    rmSync(addressFile(home), { force: true });
  } catch {
    // Links lead to the stopped server until another one starts.
  }
}

export function notedAddress(home: string): string | undefined {
  try {
    const text = readFileSync(addressFile(home), 'utf8').trim();
    return URL.canParse(text) ? text : undefined;
  } catch {
    return undefined;
  }
}
