import { ExtractError } from '../errors/extract-error.js';
import type { EmptyProof } from './empty-proof.js';
import type { Json } from './json.js';

/** A page of a list in its source's size. */
export interface SourcePage<Item> {
  readonly items: readonly Item[];
  /** Null at the end. */
  readonly next: Json;
  /** What could prove it empty. */
  readonly emptyProof: EmptyProof;
}

export interface FilledPage<Item> {
  readonly items: readonly Item[];
  /** The next page of the answer; null at the end. */
  readonly next: Json;
  /** False if a later source page was refused: `items` end before it, and `next` leads to it. */
  readonly isComplete: boolean;
  /** From the last source page read. */
  readonly emptyProof: EmptyProof;
}

/** Maximum source pages per page of an answer. */
const maxReads = 8;

function parsePosition(position: Json): { readonly sourcePosition: Json; readonly skip: number } {
  if (position === null) return { sourcePosition: null, skip: 0 };
  const [sourcePosition, skip] = position as readonly [Json, number];
  return { sourcePosition, skip };
}

/** An outcome of the source, not a bug or a caller's mistake. */
const isOutcome = (error: unknown) =>
  error instanceof ExtractError && (error.type === 'platform' || error.type === 'not_found');

const same = (a: Json, b: Json) => JSON.stringify(a) === JSON.stringify(b);

/**
 * Fills one page of an answer from source pages, whose size the source decides. Several short ones are read together. A
 * source page longer than the rest of the answer is read again for the next answer, which skips the items already
 * returned. `position` is null or an earlier `next`; `readPage` gets null for the first page.
 */
export async function fillPage<Item>(
  limit: number,
  position: Json,
  readPage: (sourcePosition: Json) => Promise<SourcePage<Item>>,
): Promise<FilledPage<Item>> {
  const items: Item[] = [];
  let emptyProof: EmptyProof = {};
  let { sourcePosition, skip } = parsePosition(position);
  for (let reads = 0; reads < maxReads; reads += 1) {
    let sourcePage: SourcePage<Item>;
    try {
      sourcePage = await readPage(sourcePosition);
    } catch (error) {
      if (items.length === 0 || !isOutcome(error)) throw error;
      return { items, next: [sourcePosition, 0], isComplete: false, emptyProof };
    }
    emptyProof = sourcePage.emptyProof;
    const rest = sourcePage.items.slice(skip);
    const missing = limit - items.length;
    items.push(...rest.slice(0, missing));
    if (rest.length > missing)
      return { items, next: [sourcePosition, skip + missing], isComplete: true, emptyProof };
    if (sourcePage.next === null || same(sourcePage.next, sourcePosition))
      return { items, next: null, isComplete: true, emptyProof };
    sourcePosition = sourcePage.next;
    skip = 0;
    if (items.length === limit) break;
  }
  return { items, next: [sourcePosition, 0], isComplete: true, emptyProof };
}
