import type { PageItemSource } from '../read/item-source.js';
import { type Merged, merge, readBy } from './merge.js';
import type { Found, Route } from './route.js';
import { type Asked, ask, isOutcome } from './walk.js';

/** The places of a list's items, one request an item. */
export interface ItemLadder<Item extends object, List = unknown> {
  /** Turns an item of the list into what its routes are asked by; its ID and URL if omitted. */
  readonly identify?: (item: ItemIdentity, list: List) => unknown;
  /** In order; each is asked for an item as long as the item lacks one of its fields. */
  readonly routes: readonly {
    readonly route: Route<never, Found<Item>>;
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
 * what the list says, and a route that refuses is not asked again. `whole` is false if an item lacks what was refused.
 */
export async function completeItems<Item extends object, List>(
  { routes, identify = (item) => item }: ItemLadder<Item, List>,
  items: readonly ReadItem<Item>[],
  asked: Asked<List>,
): Promise<{ readonly items: readonly ReadItem<Item>[]; readonly whole: boolean }> {
  const refused = new Set<unknown>();
  let whole = true;
  const completed: ReadItem<Item>[] = [];
  for (const one of items) {
    let { read, source } = one;
    const unread: (keyof Item & string)[] = [];
    for (const { route, fields } of routes) {
      const lacks = fields.some((field) => read.data[field] === null);
      if (!lacks || source.id === null) continue;
      if (refused.has(route)) {
        unread.push(...fields);
        continue;
      }
      try {
        const found = await ask(route, {
          ...asked,
          identity: identify({ id: source.id, url: source.url }, asked.identity) as never,
          part: null,
        });
        if (found.source.id !== source.id) continue;
        read = merge(read, readBy(found.data, route));
        const { url, author } = found.source;
        source = { ...source, url: url ?? source.url, author: source.author ?? author };
        if (found.source.captions !== undefined) source = { ...source, captions: found.source.captions };
      } catch (error) {
        if (!isOutcome(error)) throw error;
        unread.push(...fields);
        if (error.type === 'platform' && !ofOneItem.has(error.code)) refused.add(route);
      }
    }
    if (unread.some((field) => read.data[field] === null)) whole = false;
    completed.push({ read, source });
  }
  return { items: completed, whole };
}
