import { contractPath, platformOf } from '../../../lib/platforms.js';

/** Commands whose first argument is the path of an endpoint. */
const pathCommands: ReadonlySet<string | undefined> = new Set(['batch', 'watch']);

/**
 * Returns the arguments in the contract's words: `tiktok profile` and `shortvideo/profile` become `shortvideo profile`,
 * and `batch tiktok profile` becomes `batch shortvideo/profile`. All further arguments are unchanged.
 */
export function contractWords(args: readonly string[]): readonly string[] {
  const [command, given = '', name] = args;
  if (pathCommands.has(command) && name !== undefined) {
    const platform = contractPath(given);
    return platformOf(platform) === undefined
      ? args
      : [command ?? '', `${platform}/${name}`, ...args.slice(3)];
  }
  const at = args[0] === 'help' ? 1 : 0;
  const [word = '', ...more] = contractPath(args[at] ?? '').split('/');
  if (platformOf(word) === undefined || more.length > 1) return args;
  return [...args.slice(0, at), word, ...more, ...args.slice(at + 1)];
}
