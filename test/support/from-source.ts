/** Options of Node for a process that runs a program of the sources or of the tests as it stands. */
export const fromSource: readonly string[] = [
  '--import',
  new URL('../../scripts/typescript.mjs', import.meta.url).href,
];
