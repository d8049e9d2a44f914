import { ExtractError } from '../../errors/extract-error.js';
import { refusal } from '../../errors/outcomes.js';
import { countOrNull, textOrNull } from '../../read/convert.js';
import { fillPage } from '../../read/fill-page.js';
import type { Json } from '../../read/json.js';
import type { ListEnding, Part, RouteContext } from '../../routes/route.js';
import type { RawList } from './raw-list.js';

/** Returns the platform's cursor for the next part; null at the end, or without one. */
export const afterOf = ({ more, after }: RawList<unknown>): string | null =>
  more === false ? null : textOrNull(after);

/**
 * Returns why a list without a next part ends. The platform often ends one for visitors only, with far more items than
 * it returned (`itemsBefore` of `total`). Some counted items are never listed.
 */
export function endOf(
  { more }: RawList<unknown>,
  itemsBefore: number,
  total: number | null,
): Exclude<ListEnding, 'more'> {
  if (total !== null && itemsBefore * 2 < total) return 'visitors';
  return more === false ? 'end' : 'unknown';
}

/** Throws for a first part that is empty without proof: the platform silently omits what it does not want to show. */
export function refuseWithheld(list: RawList<unknown>, what: string): void {
  if (list.items.length > 0 || countOrNull(list.total) === 0) return;
  throw refusal('shell', `The platform answered without ${what}, which it withholds.`);
}

/** A later part without items: visitors see no more, even if the list announces another part. */
export const withheldRest = { items: [], next: null, emptyProof: { end: true }, ended: 'visitors' } as const;

/**
 * True for an error that ends a list for visitors. A login request right after a successful part is not a refusal of
 * the address: every visitor got 401 there (2025 to 2026-10), because visitors only see twelve posts.
 */
const endsForVisitors = (error: unknown) =>
  error instanceof ExtractError && error.code === 'platform_login_required';

/**
 * Returns a route's reading of a list: the first of the platform's parts by `first`, and the parts at positions by
 * `next`.
 */
export const filledParts =
  <Identity, Item>(
    first: (identity: Identity) => Promise<Part<Item>>,
    next: (identity: Identity, position: Json) => Promise<Part<Item>>,
  ) =>
  ({ identity, limit, part }: RouteContext<Identity>) =>
    filledPart(limit, part, (position) => (position === null ? first(identity) : next(identity, position)));

/** Fills one part of an answer from the platform's parts. Of repeated rows the first counts. */
async function filledPart<Item>(
  limit: number,
  position: Json,
  readPart: (sourcePosition: Json) => Promise<Part<Item>>,
): Promise<Part<Item>> {
  let last: Part<Item> | undefined;
  const itemIds = new Set<string>();
  let isEndOfVisitors = false;
  const page = await fillPage(limit, position, async (sourcePosition) => {
    const part = await readPart(sourcePosition).catch((error: unknown) => {
      isEndOfVisitors = endsForVisitors(error);
      throw error;
    });
    const ids = part.ids ?? part.items.map(({ source }) => source.id ?? '');
    const isRepeated = ids.length > 0 && ids.every((id) => itemIds.has(id));
    for (const id of ids) itemIds.add(id);
    last = isRepeated ? { ...part, next: null, ended: 'repeated' } : part;
    const rows = part.items.map((item, index) => ({ located: item, id: ids[index] ?? '' }));
    const metIds = new Set<string>();
    const fresh = rows.filter(({ id }) => !metIds.has(id) && metIds.add(id));
    return { ...last, items: isRepeated ? [] : fresh };
  });
  const { items, isComplete, emptyProof } = page;
  const next = isEndOfVisitors ? null : page.next;
  const ending = isEndOfVisitors ? 'visitors' : last?.ended;
  return {
    items: items.map(({ located }) => located),
    ids: items.map(({ id }) => id),
    next,
    emptyProof,
    brief: !isComplete,
    ...(last?.total === undefined ? {} : { total: last.total }),
    ...(next === null && ending !== undefined ? { ended: ending } : {}),
  };
}
