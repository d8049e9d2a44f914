/** True in the single executable, which holds Node.js and the package in one file. */
export function isExecutable(): boolean {
  return process.getBuiltinModule('node:sea').isSea();
}
