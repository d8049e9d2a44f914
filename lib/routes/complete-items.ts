import type { ItemAuthor, PageItemSource } from '../read/item-source.js';
import { type Merged, merge, readBy } from './merge.js';
import type { Found, Route } from './route.js';
import { type Asked, ask, isOutcome } from './walk.js';

/** The places of a list's items, one request an item. */
export interface ItemLadder<Item extends object> {
  /** In order; each is asked for an item that lacks one of its fields, or has in part what the route fills in full. */
  readonly routes: readonly {
    readonly route: Route<ItemIdentity, Found<Item>>;
    readonly fields: readonly (keyof Item & string)[];
    /** True if it says no more than the routes before it: asked only if none of them answered. */
    readonly instead?: boolean;
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
 * what the list says, and a route that refuses is not asked again. `whole` is false if something was refused. A surface
 * that refused within the hour is asked last, and only for items that no other route has answered.
 */
export async function completeItems<Item extends object>(
  { routes, ofOneAuthor = false }: ItemLadder<Item>,
  items: readonly ReadItem<Item>[],
  asked: Omit<Asked<unknown>, 'identity'>,
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
    let isAnswered = false;
    for (const { route, fields, instead = false } of ordered) {
      const lacks =
        fields.some((field) => read.data[field] === null) ||
        [...read.partial].some((field) => route.fills[field] === undefined);
      const isSpared = isAnswered && (instead || isLate(route));
      if (!lacks || source.id === null || isSpared) continue;
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
        isAnswered = true;
        if (ofOneAuthor) total ??= found.ofAuthor ?? null;
        read = merge(read, readBy(found.data, route, found));
        source = { ...source, author: filledAuthor(source.author, found.source.author) };
        if (found.source.captions !== undefined) source = { ...source, captions: found.source.captions };
      } catch (error) {
        if (!isOutcome(error)) throw error;
        // An item that is gone from its own place is whole as the list has it.
        if (error.type === 'not_found') continue;
        whole = false;
        if (error.ofAddress) for (const one of routes) refused.add(one.route);
        else if (!ofOneItem.has(error.code)) refused.add(route);
      }
    }
    completed.push({ read, source });
  }
  return { items: completed, whole, total };
}
