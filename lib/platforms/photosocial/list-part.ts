import { refusal } from '../../errors/outcomes.js';
import { countOrNull, textOrNull } from '../../read/convert.js';
import { fillPage } from '../../read/fill-page.js';
import type { Json } from '../../read/json.js';
import type { Ended, Part } from '../../routes/route.js';
import type { RawList } from './raw-list.js';

/** The platform's cursor of the next part; null at the end, or if the list names none. */
export const afterOf = ({ more, after }: RawList<unknown>): string | null =>
  more === false ? null : textOrNull(after);

/**
 * Why a list without a next part ends. The platform often ends one for visitors alone: there is much more than it gave
 * (`given` of `total`). Some of what is counted is listed to nobody.
 */
export function endOf(
  { more }: RawList<unknown>,
  given: number,
  total: number | null,
): Exclude<Ended, 'more'> {
  if (total !== null && given * 2 < total) return 'visitors';
  return more === false ? 'end' : 'unknown';
}

/**
 * Refuses a list that begins without items, and is not proven empty. The platform withholds what it does not want to
 * show without a word.
 */
export function refuseWithheld(list: RawList<unknown>, what: string): void {
  if (list.items.length > 0 || countOrNull(list.total) === 0) return;
  throw refusal('shell', `The platform answered without ${what}, which it withholds.`);
}

/** A later part without items: visitors are shown no more of the list, whatever it says of a next part. */
export const withheldRest = { items: [], next: null, emptyProof: { end: true }, ended: 'visitors' } as const;

/** One part of an answer, filled from the parts of the platform. Of a row that a part names twice, the first counts. */
export async function filledPart<Item>(
  limit: number,
  position: Json,
  read: (sourcePosition: Json) => Promise<Part<Item>>,
): Promise<Part<Item>> {
  let last: Part<Item> | undefined;
  const given = new Set<string>();
  const filled = await fillPage(limit, position, async (sourcePosition) => {
    const part = await read(sourcePosition);
    const ids = part.ids ?? part.items.map(({ source }) => source.id ?? '');
    const isRepeated = ids.length > 0 && ids.every((id) => given.has(id));
    for (const id of ids) given.add(id);
    last = isRepeated ? { ...part, next: null, ended: 'repeated' } : part;
    const rows = part.items.map((located, index) => ({ located, id: ids[index] ?? '' }));
    return { ...last, items: isRepeated ? [] : rows.filter(({ id }, index) => ids.indexOf(id) === index) };
  });
  const { items, next, whole, emptyProof } = filled;
  return {
    items: items.map(({ located }) => located),
    ids: items.map(({ id }) => id),
    next,
    emptyProof,
    brief: !whole,
    ...(last?.total === undefined ? {} : { total: last.total }),
    ...(next === null && last?.ended !== undefined ? { ended: last.ended } : {}),
  };
}
