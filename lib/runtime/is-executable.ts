/** Returns true in the single executable, which holds Node.js and the package in one file. */
export function isExecutable(): boolean {
  // Bun and Deno do not have this module.
  return process.getBuiltinModule('node:sea')?.isSea() ?? false;
}
