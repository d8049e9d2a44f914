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
    return text.replace(scripts, (match, open: string, json: string, close: string) => {
      const dropped = dropKeys(json, keys, where);
      return dropped === dropKeys(json, [], where) ? match : open + dropped + close;
    });
  };
}
