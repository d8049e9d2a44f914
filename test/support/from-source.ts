/** Options of Node for a process that runs a program from TypeScript sources. */
export const fromSource: readonly string[] = [
  '--import',
  new URL('../../scripts/typescript.mjs', import.meta.url).href,
];
