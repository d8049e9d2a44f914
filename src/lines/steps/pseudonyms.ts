import * as z from 'zod';
import type { Endpoint } from '../../../lib/endpoint.js';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import { type PersonGroup, personGroups } from '../../../lib/person.js';
import { pseudonymSecret, sharedPseudonymSecret } from '../../../lib/runtime/secret.js';
import type { Line } from '../line.js';
import type { Pseudonyms } from '../pseudonyms/pseudonyms.js';
import type { Journal, JournalEntry, Step } from '../step.js';

export interface PseudonymValues {
  readonly pseudonymise?: readonly PersonGroup[] | undefined;
  readonly pseudonymKey?: string | undefined;
  readonly keepNames?: readonly string[] | undefined;
}

const words = (text: string) =>
  text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');

const wordList = () => z.string().transform(words);
const isGroup = (word: string): word is PersonGroup => (personGroups as readonly string[]).includes(word);

const groupList = () =>
  wordList().transform((names, check) => {
    if (names.length > 0 && names.every(isGroup)) return [...new Set(names.filter(isGroup))].sort();
    check.addIssue(`It must be ${personGroups.join(' or ')}, or both with a comma between them.`);
    return z.NEVER;
  });

/** Creates the key of the data directory if there is none. */
async function openPseudonyms(
  { pseudonymise: groups = [], pseudonymKey: keyFile, keepNames: keep = [] }: PseudonymValues,
  home: string,
): Promise<Pseudonyms> {
  const key = keyFile === undefined ? await pseudonymSecret(home) : await sharedPseudonymSecret(keyFile);
  const { Pseudonyms } = await import('../pseudonyms/pseudonyms.js');
  return new Pseudonyms({ key, groups, keep });
}

function plainEntry({ item, json, sources }: Line): JournalEntry {
  const { index, echo, own } = item;
  return {
    ...{ input: parse(echo), index, ...(own === undefined ? {} : { own }) },
    ...{ data: parse(json ?? undefined), sources: parse(sources) },
  };
}

const parse = (text: string | undefined): unknown => (text === undefined ? undefined : JSON.parse(text));

function withPseudonyms<L extends Line>(pseudonyms: Pseudonyms, endpoint: Endpoint, line: L): L {
  const { item, json, sources, error, changed } = line;
  const data = json === null ? null : (JSON.parse(json) as unknown);
  const result = pseudonyms.result(endpoint, {
    items: endpoint.many ? ((data ?? []) as readonly unknown[]) : [data],
    sources: parse(sources) as readonly unknown[] | undefined,
    input: JSON.parse(item.echo) as unknown,
    params: item.params ?? undefined,
    own: item.own,
    error: error?.message,
    changed: parse(changed),
  });
  const text = (part: unknown) => (part === undefined ? undefined : JSON.stringify(part));
  return {
    ...line,
    json: json === null ? null : JSON.stringify(endpoint.many ? result.items : result.items[0]),
    sources: text(result.sources),
    item: {
      ...item,
      echo: JSON.stringify(result.input),
      params: item.params === null ? null : result.params,
      own: result.own,
    },
    error: error === null ? null : error.withMessage(String(result.error)),
    changed: text(result.changed),
  };
}

/** Replaces the names of people with keyed hashes. */
export const pseudonyms: Step<PseudonymValues> = {
  name: 'pseudonyms',
  kinds: ['call', 'batch', 'area', 'convert'],
  options: {
    pseudonymise: {
      shape: groupList,
      value: 'who',
      help: 'Replace names with keyed hashes: of authors (author), of accounts and mentions (username), or both',
    },
    pseudonymKey: {
      shape: () => z.string(),
      value: 'file',
      help: 'Key of these hashes. Default: the data directory’s own',
    },
    keepNames: {
      shape: wordList,
      value: 'names',
      help: 'Handles or names, separated by commas, that stay as they are',
    },
  },
  async request(values, { nameOf }) {
    const { pseudonymise, pseudonymKey, keepNames } = values;
    if (pseudonymise === undefined) {
      const alone = pseudonymKey === undefined ? keepNames && 'keepNames' : 'pseudonymKey';
      if (alone === undefined) return null;
      throw new ExtractError(
        'missing_parameter',
        `${nameOf(alone)} needs ${nameOf('pseudonymise')} author,username.`,
      );
    }
    // A chain opens its last stage only after the others have run.
    if (pseudonymKey !== undefined) await sharedPseudonymSecret(pseudonymKey);
    return {
      async open({ endpoint, home, plainLines }) {
        const replacer = await openPseudonyms(values, home);
        let plain: Journal | undefined;
        return {
          identity: { pseudonymise: replacer.mark },
          async begin(run) {
            plain = await plainLines?.(run);
          },
          async apply<L extends Line>(line: L): Promise<L> {
            if (line.json !== null) await plain?.add(plainEntry(line));
            return withPseudonyms(replacer, endpoint, line);
          },
          close: async () => plain?.close(),
        };
      },
    };
  },
};
