import type Sqlite from 'better-sqlite3';

export type { Database, Statement } from 'better-sqlite3';

/** The driver's class, whose instances are open files. */
export type Driver = typeof Sqlite;

/** Loads SQLite on demand, so that commands that need no file start faster. */
export async function loadDriver(): Promise<Driver> {
  const { default: driver } = await import('better-sqlite3');
  return driver;
}

const binaries = 'Its binaries are for Linux (glibc and musl), macOS and Windows, on x64 and arm64.';

function problem(cause: unknown): string {
  const { code, message = '' } = (cause ?? {}) as NodeJS.ErrnoException;
  if (code === 'ERR_DLOPEN_FAILED') return 'is there, but its binary does not fit';
  return /Cannot find (package|module) 'better-sqlite3'/.test(message) ? 'is not installed' : 'has no binary';
}

/** For a bundled program whose bundler copied the native module's code without its binary. */
const bundledMessage =
  /^Dynamic require of|^require is not defined|Could not dynamically require|^Cannot find module '(?!.*[\\/]better-sqlite3[\\/]).*better_sqlite3\.node'/;

/** Returns true if a bundler included the native module, which cannot run there. */
export function isBundled(cause: unknown): boolean {
  return cause instanceof Error && bundledMessage.test(cause.message);
}

/** Returns the message for a driver that cannot be loaded, from the loader's error. */
export function nativeModuleFault(cause: unknown): string {
  if (isBundled(cause)) {
    const [reason = ''] = (cause as Error).message.split(/\.?(?:\n|$)/, 1);
    return `The SQLite module better-sqlite3 was bundled, and cannot run there. Leave it out of the bundle (external in esbuild and Rollup, serverExternalPackages in Next.js), or import public-extract/client, which does without. The cause: ${reason}.`;
  }
  const here = `Node.js ${process.version} on ${process.platform} ${process.arch}`;
  return `The SQLite module better-sqlite3 ${problem(cause)} for ${here}. Install the package again on this machine, with this Node.js. ${binaries}`;
}
