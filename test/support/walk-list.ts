import assert from 'node:assert/strict';
import { firstPosition, type ListPosition, openCursor, sealCursor } from '../../lib/call/cursor.js';
import { fetchAnswer } from '../../lib/call/fetch-answer.js';
import type { Endpoint } from '../../lib/endpoint.js';
import { systemClock } from '../../lib/runtime/clock.js';
import type { PageSource } from '../../lib/web/page-source.js';

const secret = Buffer.alloc(32, 7);

interface Item {
  readonly id: string;
}

/** Reads up to `most` pages of a list by cursor alone; `open` returns the source of each page. */
export async function walk(
  endpoint: Endpoint,
  params: Record<string, string>,
  open: () => PageSource | Promise<PageSource>,
  limit = endpoint.page?.max ?? 1,
  most = 60,
): Promise<Item[][]> {
  const pages: Item[][] = [];
  let position: ListPosition = firstPosition;
  const identity = endpoint.identify(params);
  while (pages.length < most) {
    const { answer, browsed } = await fetchAnswer(
      { endpoint, identity, position, limit },
      await open(),
      systemClock,
    );
    assert.equal(browsed, true);
    pages.push(JSON.parse(answer.data));
    if (answer.next === null) break;
    // The next page knows nothing but the contents of the cursor.
    const next = { position: answer.next, seen: [...position.seen, ...answer.prints] };
    position = openCursor(secret, 'walk', sealCursor(secret, 'walk', next, 0), 0);
  }
  return pages;
}

/** Items of each page. */
export const lengths = (pages: readonly Item[][]) => pages.map((one) => one.length);
/** Ids of all items, in order. */
export const ids = (pages: readonly Item[][]) => pages.flat().map(({ id }) => id);
