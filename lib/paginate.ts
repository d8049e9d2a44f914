import type { Envelope } from './call/envelope.js';

/** A function of the library whose answers have pages. */
type Paged<Input, Item, Options> = (params: Input, options?: Options) => Promise<Envelope<Item[]>>;

/**
 * The pages of a listing one after another, each an envelope, from the first (or from `params.cursor`) to the
 * last. A cursor that came before ends the listing, so that no page comes twice.
 */
export async function* paginate<Input extends { cursor?: string | undefined }, Item, Options>(
  list: Paged<Input, Item, Options>,
  params: Input,
  options?: Options,
): AsyncGenerator<Envelope<Item[]>, void, undefined> {
  const used = new Set<string>();
  let cursor = params.cursor;
  while (true) {
    const page = await list(cursor === undefined ? params : { ...params, cursor }, options);
    yield page;
    const next = page.meta.next_cursor;
    if (next === null || used.has(next)) return;
    used.add(next);
    cursor = next;
  }
}
