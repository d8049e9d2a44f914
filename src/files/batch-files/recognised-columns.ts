import type { Endpoint } from '../../../lib/endpoint.js';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import { suggestBefore } from '../../../lib/runtime/nearest-words.js';
import { fits, identifyingParams, paramOfArgument, takesUrl } from '../../output/plain-argument.js';

export interface RecognisedColumn {
  readonly column: string;
  readonly param: string;
}

/** Common headings for a column, by parameter. */
const headings: Readonly<Record<string, readonly string[]>> = {
  username: [
    ...['username', 'user name', 'user', 'handle', 'account', 'profile', 'creator'],
    ...['benutzername', 'nutzername', 'konto', 'profil', 'utilisateur', 'compte', 'usuario', 'cuenta'],
  ],
  url: ['url', 'link', 'profile url', 'profile link', 'page', 'profile'],
  query: ['query', 'search', 'search term', 'keyword', 'keywords', 'term'],
  tag: ['tag', 'hashtag'],
  place_id: ['place id', 'place'],
  vanity_name: ['vanity name', 'profile', 'company', 'page', 'slug'],
  shortcode: ['shortcode', 'post', 'code'],
  id: ['id', 'video id', 'video'],
};

const headingsOf = (param: string) => headings[param] ?? headings[takesUrl(param) ? 'url' : param] ?? [];

const wordsOf = (text: string) => text.toLowerCase().match(/[\p{L}\d]+/gu) ?? [];

/** Returns the identifying parameter whose form a cell has; undefined for none. */
export function paramOfCell(endpoint: Endpoint, cell: string): string | undefined {
  const name = paramOfArgument(endpoint, cell);
  return name !== undefined && fits(endpoint, name, cell) ? name : undefined;
}

/** A column of the sample, with the evidence of its heading and cells. */
interface Candidate extends RecognisedColumn {
  /** True if the heading names the platform, which distinguishes two columns of handles. */
  readonly namesBrand: boolean;
  readonly isNamed: boolean;
  /** True if all cells are URLs or @handles that the endpoint accepts, which is unambiguous. */
  readonly isAddressed: boolean;
}

function candidates(endpoint: Endpoint, names: readonly string[], sample: readonly (readonly string[])[]) {
  const params = identifyingParams(endpoint);
  const { brand, alias } = endpoint.site;
  const ofBrand = new Set([...wordsOf(brand), ...wordsOf(alias)]);
  return names.flatMap((column, at): Candidate[] => {
    const cells = sample.map((row) => row[at] ?? '').filter((cell) => cell !== '');
    const matches = cells.flatMap((cell) => paramOfCell(endpoint, cell) ?? []);
    if (column === '' || matches.length * 2 <= cells.length) return [];
    const words = wordsOf(column);
    const otherWords = words.filter((word) => !ofBrand.has(word)).join(' ');
    const namesBrand = otherWords.split(' ').length < words.length || otherWords === '';
    // “Instagram name” is a column of handles, but “Name” is one of people.
    const bareWords = namesBrand ? otherWords.replace(/ ?\bname$/, '') : otherWords;
    const namedParam = params.find((param) => headingsOf(param).includes(bareWords));
    const param = namedParam ?? params.find((one) => matches.includes(one)) ?? (params[0] as string);
    const isAddressed =
      matches.length === cells.length && cells.every((cell) => cell.startsWith('@') || cell.includes('/'));
    return [
      { column, param, namesBrand, isNamed: namedParam !== undefined || bareWords === '', isAddressed },
    ];
  });
}

/** Every shell understands double quotes. */
const quoted = (word: string) => (/^[\w=]+$/.test(word) ? word : JSON.stringify(word));

const plurals: Readonly<Record<string, string>> = {
  username: 'usernames',
  query: 'search terms',
  tag: 'hashtags',
  url: 'URLs',
  id: 'IDs',
};

/**
 * Returns the column for an endpoint's parameter, by its heading and first rows. Throws `unknown_parameter`, suggesting
 * a `--map`, if there is none or several.
 */
export function recognisedColumn(
  endpoint: Endpoint,
  names: readonly string[],
  sample: readonly (readonly string[])[],
): RecognisedColumn {
  const columns = candidates(endpoint, names, sample);
  const sure = columns.filter(({ isNamed, isAddressed }) => isNamed || isAddressed);
  const branded = sure.filter(({ namesBrand }) => namesBrand);
  const [one, ...others] = branded.length > 0 ? branded : sure;
  if (one !== undefined && others.length === 0) return one;
  const [param = 'url'] = identifyingParams(endpoint);
  const likely = one ?? columns[0];
  const mapping = `--map ${quoted(`${likely?.param ?? param}=${likely?.column ?? 'COLUMN'}`)}`;
  const paramNames = Object.keys(endpoint.params);
  const lone = names.length === 1 ? names[0] : undefined;
  const near = lone === undefined ? '' : suggestBefore(lone, paramNames, '');
  const what = plurals[likely?.param ?? param] ?? `the ${likely?.param ?? param}`;
  const problem =
    others.length > 0
      ? `Several columns may hold ${what}: ${[one, ...others].map((other) => other?.column).join(', ')}.`
      : `No column contains ${what}.`;
  const advice =
    likely === undefined
      ? `Columns: ${names.join(', ')}. Choose one: ${mapping}.`
      : `Did you mean ${mapping}?`;
  throw new ExtractError('unknown_parameter', `${problem} ${near === '' ? advice : near}`, { next: '' });
}
