import { CommanderError } from 'commander';
import type { Endpoint } from '../../../lib/endpoint.js';
import { type ErrorCode, ExtractError } from '../../../lib/errors/extract-error.js';
import { platformOf } from '../../../lib/platforms.js';
import { nearestWords, suggestBefore, suggestion } from '../../../lib/runtime/nearest-words.js';
import { objectsOf } from '../../output/plain-argument.js';
import { shellQuoted } from '../../output/shell-words.js';
import { commanderMessage } from './commander-message.js';

/** An invalid command line: exit status 2, nothing was done. */
export class UsageError extends ExtractError {
  /** The remedy, instead of the catalogue's advice for API callers. */
  readonly hint: string;

  constructor(code: ErrorCode, message: string, hint = 'extract --help lists the commands.') {
    super(code, message, { next: hint });
    this.hint = hint;
  }
}

/** The error about a word that is none of those known; `rest` follows the suggestions. */
export const unknownWord = (
  kind: string,
  word: string,
  known: readonly string[],
  rest = `${kind[0]?.toUpperCase()}${kind.slice(1)}s: ${known.join(', ')}.`,
) =>
  new UsageError(
    'invalid_parameter',
    `Unknown ${kind} ${JSON.stringify(word)}.`,
    suggestBefore(word, known, rest),
  );

const codes: Readonly<Record<string, ErrorCode>> = {
  'commander.unknownOption': 'unknown_parameter',
  'commander.missingArgument': 'missing_parameter',
  'commander.optionMissingArgument': 'missing_parameter',
  'commander.missingMandatoryOptionValue': 'missing_parameter',
  'commander.conflictingOption': 'conflicting_parameters',
};

/** Returns the commands that an endpoint name without its platform may mean. */
function missingPlatform(word: string, endpoints: readonly Endpoint[]): string[] {
  return endpoints.filter(({ name }) => name === word).map(({ path }) => `extract ${path.replace('/', ' ')}`);
}

/** The command that commander's error is about. */
export interface ReachedCommand {
  /** `extract shortvideo profile` */
  readonly command: string;
  /** Its subcommands, including hidden ones. */
  readonly subcommands: readonly string[];
  /** The choices of its first argument, if there are any. */
  readonly choices?: readonly string[];
}

/** Converts commander's message to an error of the catalogue. */
export function usageError(
  { code, message }: CommanderError,
  { command, subcommands, choices = [] }: ReachedCommand,
  endpoints: readonly Endpoint[],
): UsageError {
  const [, word = ''] = /^error: unknown command '(.*)'/.exec(message) ?? [];
  // Commander only suggests commands that the help shows.
  const near = suggestion(nearestWords(word, [...subcommands, 'help']));
  const text = word === '' ? commanderMessage(message) : `Unknown command "${word}". ${near}`.trim();
  const platform = platformOf(/^extract (\S+)$/.exec(command)?.[1] ?? '');
  if (platform !== undefined && word !== '') {
    const ofPlatform = endpoints.filter((one) => one.platform === platform);
    const names = ofPlatform.map(({ name }) => name);
    const has = `It has ${names.slice(0, -1).join(', ')} and ${names.at(-1)}.`;
    const ways = objectsOf(ofPlatform, word).map(({ name }) => `${command} ${name} ${shellQuoted(word)}`);
    return new UsageError(
      'invalid_parameter',
      near === '' ? `${text} ${suggestion(ways) || has}` : text,
      `${command} --help explains each.`,
    );
  }
  const meant = missingPlatform(word, endpoints);
  if (meant.length > 0) {
    return new UsageError('invalid_parameter', `Which platform’s ${word}? ${suggestion(meant)}`);
  }
  if (code === 'commander.missingArgument' && choices.length > 0)
    return new UsageError('missing_parameter', text, `Choose from ${choices.join(', ')}.`);
  const dashed =
    code === 'commander.unknownOption' ? ' An argument that begins with “-” goes after “--”.' : '';
  return new UsageError(
    codes[code] ?? 'invalid_parameter',
    text,
    `${command} --help shows how to use it.${dashed}`,
  );
}

/** True for the error by which commander ends after help or the version. */
export function isHelpShown(error: unknown): boolean {
  return error instanceof CommanderError && error.exitCode === 0;
}
