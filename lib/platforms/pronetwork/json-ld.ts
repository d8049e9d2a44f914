import { countOrNull } from '../../read/convert.js';
import { resolveReferences } from '../../read/html-text.js';
import { prose, treeOf } from '../../read/html-tree.js';
import { at } from '../../read/json.js';
import { type PageName, pageOfUrl } from './urls.js';

/** Things that a page describes in its JSON-LD scripts: those at the top and those of its `@graph`. */
export type Thing = Readonly<Record<string, unknown>>;

/** True where a value is of a type, or among others of that type. */
export function isA(thing: unknown, type: string): boolean {
  const types = at(thing, '@type') ?? at(thing, 'type');
  return types === type || (Array.isArray(types) && types.includes(type));
}

/** Types of companies and schools. */
export const organisations = [
  'Organization',
  'Corporation',
  'EducationalOrganization',
  'CollegeOrUniversity',
];

const isThere = (value: unknown) => value !== undefined && value !== null;

/** A value that may stand alone or in a list, as a list. */
export const many = (value: unknown): readonly unknown[] =>
  (Array.isArray(value) ? value : [value]).filter(isThere);

function parseBlock(element: string): unknown {
  try {
    return JSON.parse(element.slice(element.indexOf('>') + 1, element.lastIndexOf('<'))) as unknown;
  } catch {
    // The page says the same in its markup: a script that cannot be read takes exactness away, not truth.
    return null;
  }
}

/** The objects that the JSON-LD scripts of a page describe, in order. */
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

/** A text of a thing: trimmed, escapes of HTML undone once, which these texts carry beyond JSON's (2024-2026). */
export function textIn(thing: unknown, ...path: readonly string[]): string | null {
  const value = at(thing, ...path);
  if (typeof value !== 'string') return null;
  const text = resolveReferences(value).trim();
  return text === '' ? null : text.toWellFormed();
}

/** The platform's pages by which a thing names itself. */
export const pagesOf = (thing: unknown): readonly PageName[] =>
  [...many(at(thing, 'url')), ...many(at(thing, 'sameAs'))].flatMap((url) =>
    typeof url === 'string' ? (pageOfUrl(url) ?? []) : [],
  );

/**
 * The thing that a page is about among those of its kind: the one that names the page, else the only one of its name
 * that names no page. Authors, employers and others stand beside it, and sometimes in its place.
 */
export function subjectIn(things: readonly Thing[], { vanity }: PageName, name: string | null): Thing | null {
  const named = things.find((thing) => pagesOf(thing).some((page) => page.vanity === vanity));
  if (named !== undefined) return named;
  const namesakes = things.filter(
    (thing) => pagesOf(thing).length === 0 && name !== null && textIn(thing, 'name') === name,
  );
  return namesakes.length === 1 ? (namesakes[0] as Thing) : null;
}

/** The same for a text whose breaks may be written as tags: `<br>` (2024-2026), which alone makes it HTML. */
export function proseIn(thing: unknown, ...path: readonly string[]): string | null {
  const value = at(thing, ...path);
  if (typeof value !== 'string' || !/<br\s*\/?>/i.test(value)) return textIn(thing, ...path);
  return prose(treeOf(value));
}

/** Count of an interaction (`Like`, `Comment`, `Follow`), whichever of the spellings of its type is used. */
export function interactions(thing: unknown, kind: string): number | null {
  const found = many(at(thing, 'interactionStatistic')).find((one) => {
    const type = at(one, 'interactionType');
    const name = typeof type === 'string' ? type : at(type, '@type');
    return typeof name === 'string' && name.endsWith(`${kind}Action`);
  });
  return countOrNull(at(found, 'userInteractionCount'));
}
