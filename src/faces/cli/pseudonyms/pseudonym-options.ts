import { type Command, InvalidArgumentError } from 'commander';
import { type PersonGroup, personGroups } from '../../../../lib/person.js';
import { pseudonymSecret, sharedPseudonymSecret } from '../../../../lib/runtime/secret.js';
import type { Pseudonyms } from '../../../files/pseudonyms/pseudonyms.js';
import type { Options } from '../output.js';
import { UsageError } from '../usage-error.js';

/** The pseudonyms that a command line asks for. */
export interface PseudonymRequest {
  readonly groups: readonly PersonGroup[];
  /** Undefined for the key of the data directory. */
  readonly keyFile: string | undefined;
  readonly keep: readonly string[];
}

const words = (text: string) =>
  text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');

function groupsOf(text: string): readonly PersonGroup[] {
  const given = words(text);
  const isGroup = (word: string): word is PersonGroup => (personGroups as readonly string[]).includes(word);
  if (given.length === 0 || !given.every(isGroup)) {
    throw new InvalidArgumentError(
      `It must be ${personGroups.join(' or ')}, or both with a comma between them.`,
    );
  }
  return [...new Set(given.filter(isGroup))].sort();
}

/** Adds the options that hide the names of people. */
export function addPseudonymOptions(command: Command): Command {
  return command
    .option(
      '--pseudonymise <who>',
      'Replace names with keyed hashes: those of authors (author), of accounts and mentions (username), or both',
      groupsOf,
    )
    .option('--pseudonym-key <file>', 'Key of these hashes. Default: the data directory’s own')
    .option('--keep-names <names>', 'Handles or names, separated by commas, that stay as they are', words);
}

/** Reads these options; null where names are shown. Throws a usage error for one that stands alone. */
export function pseudonymRequestOf(options: Options): PseudonymRequest | null {
  const { pseudonymise: groups, pseudonymKey: keyFile, keepNames: keep } = options;
  if (groups !== undefined) {
    return {
      groups: groups as readonly PersonGroup[],
      keyFile: keyFile as string | undefined,
      keep: (keep as readonly string[] | undefined) ?? [],
    };
  }
  const alone = keyFile === undefined ? (keep === undefined ? null : '--keep-names') : '--pseudonym-key';
  if (alone === null) return null;
  throw new UsageError('missing_parameter', `${alone} needs --pseudonymise author,username.`);
}

/** Opens what a command line asks for; null where names are shown. Makes the key of the data directory if there is none. */
export async function openPseudonyms(
  request: PseudonymRequest | null,
  home: string,
): Promise<Pseudonyms | null> {
  if (request === null) return null;
  const { groups, keep, keyFile } = request;
  const key = keyFile === undefined ? await pseudonymSecret(home) : await sharedPseudonymSecret(keyFile);
  const { Pseudonyms } = await import('../../../files/pseudonyms/pseudonyms.js');
  return new Pseudonyms({ key, groups, keep });
}
