import type Sqlite from 'better-sqlite3';

export type { Database, Statement } from 'better-sqlite3';

/** The class whose instances are open files. */
export type Driver = typeof Sqlite;

/** Loads SQLite. Nothing loads it earlier: a command that needs no file does not wait for it. */
export async function loadDriver(): Promise<Driver> {
  const { default: driver } = await import('better-sqlite3');
  return driver;
}

const binaries = 'Its binaries are for Linux (glibc and musl), macOS and Windows, on x64 and arm64.';

/** Why the loader did not give the module. */
function problem(cause: unknown): string {
  const { code, message = '' } = (cause ?? {}) as NodeJS.ErrnoException;
  if (code === 'ERR_DLOPEN_FAILED') return 'is there, but its binary does not fit';
  return /Cannot find (package|module) 'better-sqlite3'/.test(message) ? 'is not installed' : 'has no binary';
}

/** The error in a program whose bundler took the native module into a file of its own, without its binary. */
const bundledMessage =
  /^Dynamic require of|^require is not defined|Could not dynamically require|^Cannot find module '(?!.*[\\/]better-sqlite3[\\/]).*better_sqlite3\.node'/;

/** True where a bundler took the native module along: it cannot run there. */
export function isBundled(cause: unknown): boolean {
  return cause instanceof Error && bundledMessage.test(cause.message);
}

/** The message for a driver that cannot be loaded, from what the loader threw. */
export function nativeModuleFault(cause: unknown): string {
  if (isBundled(cause)) {
    const [reason = ''] = (cause as Error).message.split(/\.?(?:\n|$)/, 1);
    return `The SQLite module better-sqlite3 was bundled, and cannot run there. Leave it out of the bundle (external in esbuild and Rollup, serverExternalPackages in Next.js), or import public-extract/client, which does without. The cause: ${reason}.`;
  }
  const here = `Node.js ${process.version} on ${process.platform} ${process.arch}`;
  return `The SQLite module better-sqlite3 ${problem(cause)} for ${here}. Install the package again on this machine, with this Node.js. ${binaries}`;
}
