import type { Knockout } from '../../support/knockout.js';

/** JSON text without some keys, in the objects that `where` takes. */
function dropKeys(json: string, keys: readonly string[], where: (object: object) => boolean): string {
  const guard = json.startsWith('for (;;);') ? 'for (;;);' : '';
  const end = json.indexOf('\n{');
  const first = json.slice(guard.length, end < 0 ? undefined : end);
  const tree = JSON.parse(first, (_, value: unknown) => {
    if (value === null || typeof value !== 'object' || Array.isArray(value) || !where(value)) return value;
    return Object.fromEntries(Object.entries(value).filter(([key]) => !keys.includes(key)));
  }) as unknown;
  return guard + JSON.stringify(tree) + (end < 0 ? '' : json.slice(end));
}

const scripts = /(<script type="application\/json"[^>]* data-sjs>)(.*?)(<\/script>)/gs;

/** Removes keys from the data of a page or an answer, in the objects that `where` accepts (by default all). */
export function without(
  keys: readonly string[],
  where: (object: object) => boolean = () => true,
): Knockout['remove'] {
  return (text) => {
    const data = text.trimStart();
    if (data.startsWith('{') || data.startsWith('for (;;);')) {
      const same = dropKeys(text, [], where);
      const dropped = dropKeys(text, keys, where);
      return dropped === same ? text : dropped;
    }
    return text.replace(scripts, (whole, open: string, json: string, close: string) => {
      const dropped = dropKeys(json, keys, where);
      return dropped === dropKeys(json, [], where) ? whole : open + dropped + close;
    });
  };
}

/** Every leaf of the JSON in a page or an answer, counted; `drop` takes the leaf of that number out. */
export function leaves(text: string): { readonly count: number; drop(leaf: number): string } {
  const edit = (json: string, from: number, leaf: number): [string, number] => {
    let count = from;
    const tree = JSON.parse(json, function (this: unknown, _key: string, value: unknown) {
      if (value !== null && typeof value === 'object') return value;
      count += 1;
      if (count - 1 !== leaf) return value;
      return Array.isArray(this) ? null : undefined;
    }) as unknown;
    return [JSON.stringify(tree), count];
  };
  const run = (leaf: number): [string, number] => {
    if (text.trimStart().startsWith('{')) return edit(text, 0, leaf);
    let count = 0;
    const edited = text.replace(scripts, (_, open: string, json: string, close: string) => {
      const [left, next] = edit(json, count, leaf);
      count = next;
      return open + left + close;
    });
    return [edited, count];
  };
  return { count: run(-1)[1], drop: (leaf) => run(leaf)[0] };
}
