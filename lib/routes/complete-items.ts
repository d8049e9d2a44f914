import type { ItemAuthor, PageItemSource } from '../read/item-source.js';
import { type Merged, merge, readBy } from './merge.js';
import { MissingClaim } from './missing-claim.js';
import type { KnownItems } from './reading.js';
import type { Found, Route } from './route.js';
import { type Asked, ask, isOutcome } from './walk.js';

/** The places of a list's items, one request per item. */
export interface ItemLadder<Item extends object, List = unknown> {
  /** Converts an item of the list to the identity its routes take; its ID and URL if omitted. */
  readonly identify?: (item: ItemIdentity, list: List) => unknown;
  /** Used in order, for an item that lacks one of the route's fields, or has in part what the route fills in full. */
  readonly routes: readonly {
    readonly route: Route<never, Found<Item>>;
    readonly fields: readonly (keyof Item & string)[];
    /** True if it adds nothing to the routes before it, so it is used only if none of them answered. */
    readonly instead?: boolean;
  }[];
  /** True if the list holds everything of one author, whose pages then count it. */
  readonly ofOneAuthor?: boolean;
}

/** An item's identity on its own page. */
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
  /** Items in the whole list, as their pages count them; null if none does. */
  readonly total: number | null;
}

/** Completes the author in the list with what the item's own page says of the same author. */
function filledAuthor(listed: ItemAuthor | null, own: ItemAuthor | null): ItemAuthor | null {
  if (listed === null || own === null) return listed ?? own;
  const isSame = listed.handle?.toLowerCase() === own.handle?.toLowerCase();
  if (!isSame) return listed;
  const { id, name, url } = listed;
  return { ...listed, id: id ?? own.id, name: name ?? own.name, url: url ?? own.url };
}

/** Outcomes that concern one item only; the route is still used for the next one. */
const ofOneItem: ReadonlySet<string> = new Set(['platform_changed', 'platform_restricted']);

/**
 * Completes the items of a list from their own pages, in order. Best effort: an item whose page cannot be read keeps
 * the list's values, and a route that refuses is not used again. `whole` is false if an item lacks what was refused. A
 * surface that refused within the hour comes last, and only for items that no other route has answered. The pages of
 * `known` items are not read.
 */
export async function completeItems<Item extends object, List>(
  { routes, identify = (item) => item, ofOneAuthor = false }: ItemLadder<Item, List>,
  items: readonly ReadItem<Item>[],
  asked: Asked<List>,
  known: KnownItems = async () => new Set(),
): Promise<CompletedItems<Item>> {
  const isLate = (route: { readonly surface: string }) => asked.refusedLately.includes(route.surface);
  const ordered = routes.toSorted((one, other) => Number(isLate(one.route)) - Number(isLate(other.route)));
  const refused = new Set<unknown>();
  let total: number | null = null;
  let whole = true;
  const completed: ReadItem<Item>[] = [];
  const isKnown = await known(items.flatMap(({ source }) => source.id ?? []));
  for (const one of items) {
    let { read, source } = one;
    let isAnswered = false;
    const unread: (keyof Item & string)[] = [];
    for (const { route, fields, instead = false } of ordered) {
      const lacks =
        fields.some((field) => read.data[field] === null) ||
        [...read.partial].some((field) => route.fills[field] === undefined);
      if (!lacks || source.id === null || (isAnswered && (instead || isLate(route)))) continue;
      if (refused.has(route) || isKnown.has(source.id)) {
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
        read = merge(read, readBy(found.data, route, found));
        const { url, author, captions } = found.source;
        source = { ...source, url: url ?? source.url, author: filledAuthor(source.author, author) };
        if (captions !== undefined) source = { ...source, captions };
      } catch (error) {
        if (!isOutcome(error)) throw error;
        // An item whose own page no longer exists is complete as listed.
        if (error.type === 'not_found' && !(error instanceof MissingClaim)) continue;
        unread.push(...fields);
        if (error.scope === 'address') for (const { route: other } of routes) refused.add(other);
        else if (error.type === 'platform' && !ofOneItem.has(error.code)) refused.add(route);
      }
    }
    if (unread.some((field) => read.data[field] === null)) whole = false;
    completed.push({ read, source });
  }
  return { items: completed, whole, total };
}
