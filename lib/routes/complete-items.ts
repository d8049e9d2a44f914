import type { ItemAuthor, PageItemSource } from '../read/item-source.js';
import { type MergedObject, merge, readBy } from './merge.js';
import { MissingClaim } from './missing-claim.js';
import type { KnownItems } from './reading.js';
import type { ObjectReading, Route } from './route.js';
import { ask, isOutcome, type RouteRequest } from './walk.js';

/** How the items of a list are completed, one request per item. */
export interface ItemLadder<Item extends object, List = unknown> {
  /** Converts an item of the list to the identity of its routes; by default its ID and URL. */
  readonly identify?: (item: ItemIdentity, list: List) => unknown;
  /** Used in order, for an item that lacks one of the route's fields, or has part of what the route fills in full. */
  readonly routes: readonly {
    readonly route: Route<never, ObjectReading<Item>>;
    readonly fields: readonly (keyof Item & string)[];
    /** True if it adds nothing to the routes before it, so that it is used only if none of them answered. */
    readonly instead?: boolean;
  }[];
  /** True if the whole list is of one author, whose pages then count it. */
  readonly ofOneAuthor?: boolean;
}

export interface ItemIdentity {
  readonly id: string;
  readonly url: string | null;
}

interface ReadItem<Item> {
  readonly read: MergedObject<Item>;
  readonly source: PageItemSource;
}

interface CompletedItems<Item> {
  readonly items: readonly ReadItem<Item>[];
  readonly isComplete: boolean;
  /** The items' pages' count of the whole list; null without one. */
  readonly total: number | null;
}

/** Completes an author in the list with what the item's own page says of the same author. */
function filledAuthor(listed: ItemAuthor | null, author: ItemAuthor | null): ItemAuthor | null {
  if (listed === null || author === null) return listed ?? author;
  const isSame = listed.handle?.toLowerCase() === author.handle?.toLowerCase();
  if (!isSame) return listed;
  const { id, name, url } = listed;
  return { ...listed, id: id ?? author.id, name: name ?? author.name, url: url ?? author.url };
}

/** Outcomes that concern one item; the route is still used for the next one. */
const ofOneItem: ReadonlySet<string> = new Set(['platform_changed', 'platform_restricted']);

/**
 * Completes the items of a list from their own pages, in order. Best effort: an item whose page cannot be read keeps
 * the list's values, and a route that refuses is not used again. `isComplete` is false if an item lacks what was
 * refused. A surface that refused within the hour comes last, and only for items that no other route has answered.
 * Pages of `knownItems` are not read.
 */
export async function completeItems<Item extends object, List>(
  { routes, identify = (item) => item, ofOneAuthor = false }: ItemLadder<Item, List>,
  items: readonly ReadItem<Item>[],
  request: RouteRequest<List>,
  knownItems: KnownItems = async () => new Set(),
): Promise<CompletedItems<Item>> {
  const isLate = (route: { readonly surface: string }) => request.refusedLately.includes(route.surface);
  const ordered = routes.toSorted((one, other) => Number(isLate(one.route)) - Number(isLate(other.route)));
  const refused = new Set<unknown>();
  let total: number | null = null;
  let isComplete = true;
  const completed: ReadItem<Item>[] = [];
  const isKnown = await knownItems(items.flatMap(({ source }) => source.id ?? []));
  for (const one of items) {
    let { read, source } = one;
    let isAnswered = false;
    const unreadFields: (keyof Item & string)[] = [];
    for (const { route, fields, instead = false } of ordered) {
      const lacks =
        fields.some((field) => read.data[field] === null) ||
        [...read.partial].some((field) => route.fills?.[field] === undefined);
      if (!lacks || source.id === null || (isAnswered && (instead || isLate(route)))) continue;
      if (refused.has(route) || isKnown.has(source.id)) {
        unreadFields.push(...fields);
        continue;
      }
      try {
        const completion = await ask(route, {
          ...request,
          identity: identify({ id: source.id, url: source.url }, request.identity) as never,
          part: null,
        });
        if (completion.source.id !== source.id) continue;
        isAnswered = true;
        if (ofOneAuthor) total ??= completion.ofAuthor ?? null;
        read = merge(read, readBy(completion.data, route, completion));
        const { url, author, captions } = completion.source;
        source = { ...source, url: url ?? source.url, author: filledAuthor(source.author, author) };
        if (captions !== undefined) source = { ...source, captions };
      } catch (error) {
        if (!isOutcome(error)) throw error;
        // An item without its own page is complete as listed.
        if (error.type === 'not_found' && !(error instanceof MissingClaim)) continue;
        unreadFields.push(...fields);
        if (error.scope === 'address') for (const { route: other } of routes) refused.add(other);
        else if (error.type === 'platform' && !ofOneItem.has(error.code)) refused.add(route);
      }
    }
    if (unreadFields.some((field) => read.data[field] === null)) isComplete = false;
    completed.push({ read, source });
  }
  return { items: completed, isComplete, total };
}
