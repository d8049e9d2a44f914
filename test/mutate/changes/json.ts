import type { TouchedJson } from '../touched.js';
import type { Change } from './change.js';

export type Path = readonly (string | number)[];

/** Calls back for each holder of the path's last step. */
export function eachHolder(
  tree: unknown,
  path: Path,
  change: (holder: object, step: string | number) => void,
): void {
  const [step, ...rest] = path;
  if (step === undefined || tree === null || typeof tree !== 'object') return;
  if (rest.length === 0) {
    change(tree, step);
    return;
  }
  const below = step === '*' ? Object.values(tree) : [(tree as Record<string | number, unknown>)[step]];
  for (const node of below) eachHolder(node, rest, change);
}

/** How a page embeds the JSON: directly, or as a text within other JSON. */
function inPage(page: string, json: string): ((changed: string) => string) | null {
  for (const encode of [(text: string) => text, (text: string) => JSON.stringify(text).slice(1, -1)]) {
    const found = page.indexOf(encode(json));
    if (found < 0) continue;
    const end = found + encode(json).length;
    return (changed) => page.slice(0, found) + encode(changed) + page.slice(end);
  }
  return null;
}

/** Replaces the values at a path. */
export const replaceAt = (path: Path, become: (value: unknown) => unknown) => (tree: unknown) =>
  eachHolder(tree, path, (holder, step) => {
    const values = holder as Record<string | number, unknown>;
    if (Object.hasOwn(values, step)) values[step] = become(values[step]);
  });

/** What gives the page with its JSON changed; null if it does not embed the JSON. */
export function changerOf(page: string, json: string) {
  const put = inPage(page, json);
  if (put === null) return null;
  return (change: (tree: unknown) => void) => () => {
    const tree: unknown = JSON.parse(json);
    change(tree);
    return put(JSON.stringify(tree));
  };
}

function rename(holder: object, key: string | number): void {
  const object = holder as Record<string | number, unknown>;
  if (!Object.hasOwn(object, key)) return;
  object[`${key}_moved`] = object[key];
  delete object[key];
}

function shift(holder: unknown, index: string | number): void {
  if (Array.isArray(holder) && typeof index === 'number' && index < holder.length)
    holder.splice(index, 0, null);
}

/** Each key that a reader touches renamed; each place of a list moved by one, and each list of rows. */
export function jsonChanges(page: string, { json, paths, lists }: TouchedJson): Change[] {
  const changed = changerOf(page, json);
  if (changed === null) return [];
  const moved = paths.map((path): Change => {
    const isKey = typeof path.at(-1) === 'string';
    return {
      kind: isKey ? 'renamed' : 'shifted',
      what: path.join('.'),
      text: changed((tree) => eachHolder(tree, path, isKey ? rename : shift)),
    };
  });
  const rows = lists.map(
    (path): Change => ({
      kind: 'shifted',
      what: `${path.join('.')}.*`,
      text: changed((tree) => {
        if (path.length === 0) shift(tree, 0);
        else eachHolder(tree, path, (holder, step) => shift((holder as unknown[])[step as number], 0));
      }),
    }),
  );
  return [...moved, ...rows];
}
