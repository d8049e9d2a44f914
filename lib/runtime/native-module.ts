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
