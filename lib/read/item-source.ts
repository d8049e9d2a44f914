/** The publisher of an item. */
export interface ItemAuthor {
  /** The platform's own ID of the author. */
  readonly id: string | null;
  /** Handle, without @. */
  readonly handle: string | null;
  /** Name shown on the page. */
  readonly name: string | null;
  /** Public page of the author. */
  readonly url: string | null;
}

/** Where an item is on its platform, and when it was read. A member that the page does not name is null. */
export interface ItemSource {
  /** The platform's own ID of the item. */
  readonly id: string | null;
  /** Public URL at which a person sees the item. */
  readonly url: string | null;
  /** The publisher; null for places and profiles, and if the page does not say. */
  readonly author: ItemAuthor | null;
  /** Position in the list, from 1, counted over all its pages. */
  readonly position: number;
  /** When the page was fetched, ISO 8601 UTC. */
  readonly fetched_at: string;
  /** The route it was read from, as `coverage.routes` names it; null in files, which do not store it. */
  readonly route: string | null;
  /** IDs of the archive records it was read from, if there is an archive: the reading's, then those of its answers. */
  readonly records?: readonly string[];
}

/** A file of captions that a video's page names. */
export interface Caption {
  /** As the page spells it, such as eng-US. */
  readonly language: string | null;
  /** The words as spoken, or a translation; null if the page does not say. */
  readonly kind: 'original' | 'translated' | null;
  /** Public URL of its WebVTT. */
  readonly url: string;
}

/**
 * The part of an item's source that the page itself names. Each answer adds the position. Captions are never part of an
 * answer: they are for saving files, and known only if the video's own page was read.
 */
export type PageItemSource = Pick<ItemSource, 'id' | 'url' | 'author'> & {
  readonly captions?: readonly Caption[];
  /** The route that returned the item. Undefined in data of versions without routes. */
  readonly route?: string | null;
};

/** The captions of an item, by its ID. */
export interface ItemCaptions {
  readonly id: string;
  readonly captions: readonly Caption[];
}

export interface Located<Item> {
  readonly item: Item;
  readonly source: PageItemSource;
  /** Fields that the page shows only in part, such as a truncated text. */
  readonly partial?: readonly string[];
}

export const noSource: PageItemSource = { id: null, url: null, author: null };

export function authorOrNull(fields: Partial<ItemAuthor>): ItemAuthor | null {
  const { id = null, handle = null, name = null, url = null } = fields;
  return [id, handle, name, url].every((value) => value === null) ? null : { id, handle, name, url };
}

/**
 * Returns `sources` of one page of an answer, and the captions that its pages name, each as JSON text. `json` is the
 * cached list of both. `offset` is the number of items on earlier pages, `records` the records of the archive, if any,
 * and `places` the index of each item on the page, from 0, if others were removed.
 */
export function sourceTexts(
  json: string,
  offset: number,
  fetchedAt: string,
  {
    records,
    places,
  }: {
    readonly records?: readonly string[] | undefined;
    readonly places?: readonly number[] | undefined;
  } = {},
): { readonly sources: string; readonly captions?: string } {
  const cached = JSON.parse(json) as PageItemSource[];
  const sources = cached.map(
    ({ id, url, author, route = null }, index): ItemSource => ({
      ...{ id, url, author },
      position: offset + (places?.[index] ?? index) + 1,
      fetched_at: fetchedAt,
      route,
      ...(records === undefined ? {} : { records }),
    }),
  );
  const captions = cached.flatMap(({ id, captions: itemCaptions }): ItemCaptions[] =>
    id === null || itemCaptions === undefined ? [] : [{ id, captions: itemCaptions }],
  );
  return {
    sources: JSON.stringify(sources),
    ...(captions.length === 0 ? {} : { captions: JSON.stringify(captions) }),
  };
}
