import type { ItemAuthor, PageItemSource } from '../read/item-source.js';
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
  /** True if the list is the whole of one author's: their pages then count it. */
  readonly ofOneAuthor?: boolean;
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

interface CompletedItems<Item> {
  readonly items: readonly ReadItem<Item>[];
  readonly whole: boolean;
  /** Items of the whole list, as their pages count them; null if none does. */
  readonly total: number | null;
}

/** The author as the list names it, with what the item's own place adds to the same one. */
function filledAuthor(listed: ItemAuthor | null, own: ItemAuthor | null): ItemAuthor | null {
  if (listed === null || own === null) return listed ?? own;
  const isSame = listed.handle?.toLowerCase() === own.handle?.toLowerCase();
  if (!isSame) return listed;
  const { id, name, url } = listed;
  return { ...listed, id: id ?? own.id, name: name ?? own.name, url: url ?? own.url };
}

/** Outcomes that speak of one item alone: the route is asked for the next one all the same. */
const ofOneItem: ReadonlySet<string> = new Set(['platform_changed', 'platform_restricted']);

/**
 * Completes the items of a list from their own places, in order. Best effort: an item whose place cannot be read keeps
 * what the list says, and a route that refuses is not asked again. `whole` is false if an item lacks what was refused. A
 * surface that refused within the hour is asked last, and only for items that no other route has answered.
 */
export async function completeItems<Item extends object, List>(
  { routes, identify = (item) => item, ofOneAuthor = false }: ItemLadder<Item, List>,
  items: readonly ReadItem<Item>[],
  asked: Asked<List>,
): Promise<CompletedItems<Item>> {
  const { refusedLately } = asked;
  const isLate = (route: { readonly surface: string }) => refusedLately.includes(route.surface);
  const ordered = routes.toSorted((one, other) => Number(isLate(one.route)) - Number(isLate(other.route)));
  let total: number | null = null;
  const refused = new Set<unknown>();
  let whole = true;
  const completed: ReadItem<Item>[] = [];
  for (const one of items) {
    let { read, source } = one;
    const unread: (keyof Item & string)[] = [];
    let isAnswered = false;
    for (const { route, fields } of ordered) {
      const lacks = fields.some((field) => read.data[field] === null);
      if (!lacks || source.id === null || (isAnswered && isLate(route))) continue;
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
        isAnswered = true;
        if (ofOneAuthor) total ??= found.ofAuthor ?? null;
        read = merge(read, readBy(found.data, route, found.rounded));
        const { url, author } = found.source;
        source = { ...source, url: url ?? source.url, author: filledAuthor(source.author, author) };
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
  return { items: completed, whole, total };
}
