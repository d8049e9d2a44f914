import type { PageItemSource } from '../read/item-source.js';
import { type Merged, merge, readBy } from './merge.js';
import type { Found, Route } from './route.js';
import { type Asked, ask, isOutcome } from './walk.js';

/** The places of a list's items, one request an item. */
export interface ItemLadder<Item extends object> {
  /** In order; each is asked for an item as long as the item lacks one of its fields. */
  readonly routes: readonly {
    readonly route: Route<ItemIdentity, Found<Item>>;
    readonly fields: readonly (keyof Item & string)[];
  }[];
}

/** An item as its own place is asked for it. */
export interface ItemIdentity {
  readonly id: string;
  readonly url: string | null;
}

interface ReadItem<Item> {
  readonly read: Merged<Item>;
  readonly source: PageItemSource;
}

/** Outcomes that speak of one item alone: the route is asked for the next one all the same. */
const ofOneItem: ReadonlySet<string> = new Set(['platform_changed', 'platform_restricted']);

/**
 * Completes the items of a list from their own places, in order. Best effort: an item whose place cannot be read keeps
 * what the list says, and a route that refuses is not asked again. `whole` is false if something was refused.
 */
export async function completeItems<Item extends object>(
  { routes }: ItemLadder<Item>,
  items: readonly ReadItem<Item>[],
  asked: Omit<Asked<unknown>, 'identity'>,
): Promise<{ readonly items: readonly ReadItem<Item>[]; readonly whole: boolean }> {
  const refused = new Set<unknown>();
  let whole = true;
  const completed: ReadItem<Item>[] = [];
  for (const one of items) {
    let { read, source } = one;
    for (const { route, fields } of routes) {
      const lacks = fields.some((field) => read.data[field] === null);
      if (!lacks || source.id === null) continue;
      if (refused.has(route)) {
        whole = false;
        continue;
      }
      try {
        const found = await ask(route, {
          ...asked,
          identity: { id: source.id, url: source.url },
          part: null,
        });
        if (found.source.id !== source.id) continue;
        read = merge(read, readBy(found.data, route));
        source =
          source.author === null ? { ...found.source, ...source, author: found.source.author } : source;
        if (found.source.captions !== undefined) source = { ...source, captions: found.source.captions };
      } catch (error) {
        if (!isOutcome(error)) throw error;
        whole = false;
        if (error.type === 'platform' && !ofOneItem.has(error.code)) refused.add(route);
      }
    }
    completed.push({ read, source });
  }
  return { items: completed, whole };
}
