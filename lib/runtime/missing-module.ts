import { ExtractError } from '../errors/extract-error.js';

const binaries = 'Its binaries are for Linux (glibc and musl), macOS and Windows, on x64 and arm64.';

/** Why the loader did not give us the module. */
function problem(cause: unknown): string {
  const { code, message = '' } = (cause ?? {}) as NodeJS.ErrnoException;
  if (code === 'ERR_DLOPEN_FAILED') return 'is there, but its binary does not fit';
  return /Cannot find (package|module) 'better-sqlite3'/.test(message) ? 'is not installed' : 'has no binary';
}

/** The message for a native module of SQLite that cannot be loaded, from what the loader threw. */
export function nativeModuleFault(cause: unknown): string {
  const here = `Node.js ${process.version} on ${process.platform} ${process.arch}`;
  return `The SQLite module better-sqlite3 ${problem(cause)} for ${here}. Install the package again on this machine, with this Node.js. ${binaries}`;
}

/**
 * Makes sure that a package is there which only some installations need. Throws `invalid_parameter` with the command
 * that installs it; `need` names the setting or option that asks for it.
 */
export function requirePackage(name: string, need: string): void {
  // Loaded here, as the start of every command holds this module.
  const { createRequire } = process.getBuiltinModule('node:module');
  try {
    createRequire(import.meta.url).resolve(name);
  } catch (cause) {
    const message = `${need} needs the package “${name}”, which is not installed. Run “npm install ${name}” where public-extract is installed (“npm install -g ${name}” for a global one).`;
    throw new ExtractError('invalid_parameter', message, { cause });
  }
}
