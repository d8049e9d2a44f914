import path from 'node:path';
import { isExecutable } from './is-executable.js';
import { packageRoot } from './package-root.js';

/**
 * Returns the command that starts this program, with full paths: clients, timers and services often run without a
 * shell's search path.
 */
export function programCommand(): { readonly command: string; readonly args: readonly string[] } {
  return {
    command: process.execPath,
    args: isExecutable() ? [] : [path.join(packageRoot(), 'bin', 'extract.js')],
  };
}
