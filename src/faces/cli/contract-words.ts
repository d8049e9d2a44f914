import { contractPath, platformOf } from '../../../lib/platforms.js';
import { formerCommands } from './commands.js';

/** Commands whose first argument is the path of an endpoint. */
const pathCommands: ReadonlySet<string | undefined> = new Set(['batch', 'watch']);

/** Replaces a former command by the current one. */
function presentWords(args: readonly string[]): readonly string[] {
  const at = args[0] === 'help' ? 1 : 0;
  const [words, now] =
    formerCommands.find(([former]) => former.every((word, n) => args[at + n] === word)) ?? [];
  return words === undefined || now === undefined
    ? args
    : [...args.slice(0, at), ...now, ...args.slice(at + words.length)];
}

/**
 * Returns the arguments in current terms: `tiktok profile` and `shortvideo/profile` become `shortvideo profile`, `batch
 * tiktok profile` becomes `batch shortvideo/profile`, and `verify` becomes `archive verify`. Further arguments are
 * unchanged.
 */
export function contractWords(words: readonly string[]): readonly string[] {
  const args = presentWords(words);
  const [command, target = '', name] = args;
  if (pathCommands.has(command) && name !== undefined) {
    const platform = contractPath(target);
    return platformOf(platform) === undefined
      ? args
      : [command ?? '', `${platform}/${name}`, ...args.slice(3)];
  }
  const at = args[0] === 'help' ? 1 : 0;
  const [word = '', ...more] = contractPath(args[at] ?? '').split('/');
  if (platformOf(word) === undefined || more.length > 1) return args;
  return [...args.slice(0, at), word, ...more, ...args.slice(at + 1)];
}
