import { shellQuoted } from '../output/shell-words.js';

/** The same command line, as it takes the batch up again. */
export function resumeCommand(args: readonly string[]): string {
  const same = args.filter((arg) => arg !== '--overwrite');
  const goesOn = same.includes('--resume') || same.includes('--retry-failed');
  return ['extract', ...same, ...(goesOn ? [] : ['--resume'])].map(shellQuoted).join(' ');
}
