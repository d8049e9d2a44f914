import { countOrNull } from '../../read/convert.js';
import { resolveReferences } from '../../read/html-text.js';
import { at, parseJson } from '../../read/json.js';
import { orNull } from '../../subject-reader.js';
import { type PageName, pageOfUrl } from './urls.js';

/** Things described in a page's JSON-LD scripts: top-level ones and those in `@graph`. */
export type Thing = Readonly<Record<string, unknown>>;

export function isA(thing: unknown, type: string): boolean {
  const types = at(thing, '@type') ?? at(thing, 'type');
  return types === type || (Array.isArray(types) && types.includes(type));
}

export const organisations = [
  'Organization',
  'Corporation',
  'EducationalOrganization',
  'CollegeOrUniversity',
];

const isThere = (value: unknown) => value !== undefined && value !== null;

/** Returns a single value or a list as a list. */
export const many = (value: unknown): readonly unknown[] =>
  (Array.isArray(value) ? value : [value]).filter(isThere);

/** The page's markup says the same, so an unreadable script costs precision, not correctness. */
const parseBlock = (element: string): unknown =>
  orNull(() => parseJson(element.slice(element.indexOf('>') + 1, element.lastIndexOf('<')), 'A script'));

export function thingsOf(scripts: readonly string[]): readonly Thing[] {
  return scripts.flatMap((element) =>
    many(parseBlock(element)).flatMap((root) => {
      const graph = at(root, '@graph');
      return [...(Array.isArray(graph) ? [] : [root]), ...many(graph)].filter(
        (thing): thing is Thing => typeof thing === 'object' && thing !== null,
      );
    }),
  );
}

/**
 * Returns a string of a thing: trimmed, with HTML escapes decoded once, which these strings have on top of JSON's
 * (2024-2026).
 */
export function textIn(thing: unknown, ...path: readonly string[]): string | null {
  const value = at(thing, ...path);
  if (typeof value !== 'string') return null;
  const text = resolveReferences(value).trim();
  return text === '' ? null : text.toWellFormed();
}

/** Returns the pages on the platform by which a thing identifies itself. */
export const pagesOf = (thing: unknown): readonly PageName[] =>
  [...many(at(thing, 'url')), ...many(at(thing, 'sameAs'))].flatMap((url) =>
    typeof url === 'string' ? (pageOfUrl(url) ?? []) : [],
  );

/**
 * Returns the thing of its kind that a page is about: the one that links to the page, else the only one with its name
 * and no link. Authors, employers and others are described next to it, and sometimes instead of it.
 */
export function subjectIn(things: readonly Thing[], { vanity }: PageName, name: string | null): Thing | null {
  const person = things.find((thing) => pagesOf(thing).some((page) => page.vanity === vanity));
  if (person !== undefined) return person;
  const namesakes = things.filter(
    (thing) => pagesOf(thing).length === 0 && name !== null && textIn(thing, 'name') === name,
  );
  return namesakes.length === 1 ? (namesakes[0] as Thing) : null;
}

/** Returns the count of an interaction (`Like`, `Comment`, `Follow`), in any spelling of its type. */
export function interactions(thing: unknown, kind: string): number | null {
  const counter = many(at(thing, 'interactionStatistic')).find((one) => {
    const type = at(one, 'interactionType');
    const name = typeof type === 'string' ? type : at(type, '@type');
    return typeof name === 'string' && name.endsWith(`${kind}Action`);
  });
  return countOrNull(at(counter, 'userInteractionCount'));
}
