import { createRequire } from 'node:module';
import { ExtractError } from '../errors/extract-error.js';

const { resolve } = createRequire(import.meta.url);

/**
 * Makes sure that a package is there which only some installations need. Throws `invalid_parameter` with the command
 * that installs it; `need` names the setting or option that asks for it.
 */
export function requirePackage(name: string, need: string): void {
  try {
    resolve(name);
  } catch (cause) {
    const message = `${need} needs the package “${name}”, which is not installed. Run “npm install ${name}” where public-extract is installed (“npm install -g ${name}” for a global one).`;
    throw new ExtractError('invalid_parameter', message, { cause });
  }
}
