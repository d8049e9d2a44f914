import type { Envelope, SourcedEnvelope } from './call/envelope.js';

type Cursored = { readonly cursor?: string | undefined };
type Paged<Input, Item, Options> = (params: Input, options?: Options) => Promise<Envelope<Item[]>>;

/** A function of the library whose answers have pages. */
type Listing = (params: never, options?: never) => Promise<Envelope<unknown[]>>;
type ItemOf<List extends Listing> = Awaited<ReturnType<List>>['data'][number];

/** The pages of a list, each fetched on demand. */
export interface Pages<Item, Page extends Envelope<Item[]> = Envelope<Item[]>>
  extends AsyncGenerator<Page, void, undefined> {
  /** The items of the pages that have not been read, one after another. */
  items(): AsyncGenerator<Item, void, undefined>;
}

async function* pagesOf<Input extends Cursored, Item, Options>(
  list: Paged<Input, Item, Options>,
  params: Input,
  options?: Options,
): AsyncGenerator<Envelope<Item[]>, void, undefined> {
  const cursors = new Set<string>();
  let cursor = params.cursor;
  while (true) {
    const page = await list(cursor === undefined ? params : { ...params, cursor }, options);
    yield page;
    const next = page.meta.next_cursor;
    if (next === null || cursors.has(next)) return;
    cursors.add(next);
    cursor = next;
  }
}

async function* itemsOf<Item>(pages: AsyncIterable<Envelope<Item[]>>): AsyncGenerator<Item, void, undefined> {
  for await (const { data } of pages) yield* data;
}

/**
 * The pages of a listing, each an envelope, from the first (or from `params.cursor`) to the last; `paginate(…).items()`
 * yields their items. A repeated cursor ends the listing, so that no page is returned twice.
 */
export function paginate<List extends Listing>(
  list: List,
  params: Parameters<List>[0] & { readonly sources: true },
  options?: Parameters<List>[1],
): Pages<ItemOf<List>, SourcedEnvelope<ItemOf<List>[]>>;
export function paginate<List extends Listing>(
  list: List,
  params: Parameters<List>[0],
  options?: Parameters<List>[1],
): Pages<ItemOf<List>>;
export function paginate<Input extends Cursored, Item, Options>(
  list: Paged<Input, Item, Options>,
  params: Input,
  options?: Options,
): Pages<Item> {
  const pages = pagesOf(list, params, options);
  return Object.assign(pages, { items: () => itemsOf(pages) });
}
