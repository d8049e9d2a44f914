import { invalidParameter } from '../errors/extract-error.js';
import { isExecutable } from './is-executable.js';

/**
 * Checks that an optional package is installed. Throws `invalid_parameter` with the command that installs it; `need`
 * names the setting or option that requires it, `install` what the command installs, with versions.
 */
export function requirePackage(name: string, need: string, install = name): void {
  // Loaded here, because every command loads this module at startup.
  const { createRequire } = process.getBuiltinModule('node:module');
  try {
    createRequire(import.meta.url).resolve(name);
  } catch (cause) {
    const remedy = isExecutable()
      ? `which the single executable does not hold. Run “npm install -g public-extract ${install}”, and use the command that it installs.`
      : `which is not installed. Run “npm install ${install}” where public-extract is installed (“npm install -g ${install}” for a global one).`;
    const message = `${need} needs the package “${name}”, ${remedy}`;
    throw invalidParameter(message, { cause });
  }
}
