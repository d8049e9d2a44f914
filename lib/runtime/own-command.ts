import path from 'node:path';
import { isExecutable } from './is-executable.js';
import { packageRoot } from './package-root.js';

/**
 * The command that starts this very program, by full paths: clients, timers and services are often started without the
 * search path of a shell.
 */
export function ownCommand(): { readonly command: string; readonly args: readonly string[] } {
  return {
    command: process.execPath,
    args: isExecutable() ? [] : [path.join(packageRoot(), 'bin', 'extract.js')],
  };
}
