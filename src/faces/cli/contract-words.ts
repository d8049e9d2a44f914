import { contractPath, platformOf } from '../../../lib/platforms.js';

/**
 * The arguments in the contract's words: `tiktok profile` and `shortvideo/profile` become `shortvideo profile`. What
 * follows the first word, or the word after `help`, stays as it was typed.
 */
export function contractWords(args: readonly string[]): readonly string[] {
  const at = args[0] === 'help' ? 1 : 0;
  const [word = '', ...more] = contractPath(args[at] ?? '').split('/');
  if (platformOf(word) === undefined || more.length > 1) return args;
  return [...args.slice(0, at), word, ...more, ...args.slice(at + 1)];
}
