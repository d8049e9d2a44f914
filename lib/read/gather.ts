import { ExtractError } from '../errors/extract-error.js';
import type { Json } from './json.js';

/** One stretch of a listing as its source gives it. */
export interface Stretch<Item> {
  readonly items: readonly Item[];
  /** Where the next stretch begins, null at the end. */
  readonly next: Json;
}

export interface Gathered<Item> {
  readonly items: readonly Item[];
  /** Position for the next page of the answer, null at the end. */
  readonly next: Json;
  /** False when a later stretch was refused: what came before it is given, and `next` leads to the refusal. */
  readonly whole: boolean;
}

/** Reads of a source for one page of an answer, at most. */
const mostReads = 8;

function placeOf(position: Json): { readonly stretch: Json; readonly skip: number } {
  if (position === null) return { stretch: null, skip: 0 };
  const [stretch, skip] = position as readonly [Json, number];
  return { stretch, skip };
}

/** True for what a source may answer; a fault of ours or of the caller's is none. */
const isOutcome = (error: unknown) =>
  error instanceof ExtractError && (error.type === 'platform' || error.type === 'not_found');

const same = (a: Json, b: Json) => JSON.stringify(a) === JSON.stringify(b);

/**
 * Fills one page of an answer from the stretches of a source, whose size is the source's own: some are read
 * together, and one that is longer than what is wanted is read again for the next page, which skips what was
 * given. `position` is null or an earlier `next`; `read` gets null for the first stretch.
 */
export async function gather<Item>(
  limit: number,
  position: Json,
  read: (stretch: Json) => Promise<Stretch<Item>>,
): Promise<Gathered<Item>> {
  const items: Item[] = [];
  let { stretch, skip } = placeOf(position);
  for (let reads = 0; reads < mostReads; reads += 1) {
    let got: Stretch<Item>;
    try {
      got = await read(stretch);
    } catch (error) {
      if (items.length === 0 || !isOutcome(error)) throw error;
      return { items, next: [stretch, 0], whole: false };
    }
    const rest = got.items.slice(skip);
    const wanted = limit - items.length;
    items.push(...rest.slice(0, wanted));
    if (rest.length > wanted) return { items, next: [stretch, skip + wanted], whole: true };
    if (got.next === null || same(got.next, stretch)) return { items, next: null, whole: true };
    stretch = got.next;
    skip = 0;
    if (items.length === limit) break;
  }
  return { items, next: [stretch, 0], whole: true };
}
