/** The publisher of an item. */
export interface ItemAuthor {
  /** The platform's own ID of the author. */
  readonly id: string | null;
  /** Handle, without @. */
  readonly handle: string | null;
  /** Name that the page shows. */
  readonly name: string | null;
  /** Public page of the author. */
  readonly url: string | null;
}

/** Where an item stands on its platform, and when it was read. A member that the page does not name is null. */
export interface ItemSource {
  /** The platform's own ID of the item. */
  readonly id: string | null;
  /** Public URL at which a person sees the item. */
  readonly url: string | null;
  /** The publisher; null for places and profiles, and where the page does not say. */
  readonly author: ItemAuthor | null;
  /** Position in the list, from 1, counted over all its pages. */
  readonly position: number;
  /** When the page was fetched, ISO 8601 UTC. */
  readonly fetched_at: string;
  /** The place that it was read from, as `coverage.routes` names it; null in files, which do not keep it. */
  readonly route: string | null;
  /**
   * IDs of the records that it was read from, where an archive is kept: that of the reading, then those of its answers.
   */
  readonly records?: readonly string[];
}

/** A file of captions that a video's page names. */
export interface Caption {
  /** As the page spells it, such as eng-US. */
  readonly language: string | null;
  /** The words as they are spoken, or a translation of them; null where the page does not say. */
  readonly kind: 'original' | 'translated' | null;
  /** Public URL of its WebVTT. */
  readonly url: string;
}

/**
 * The part of an item's source that the page itself names. Where the item stands in the answer is added with each
 * answer. Captions are in no answer: they are for those who save files, and known only where the video's own page was
 * read.
 */
export type PageItemSource = Pick<ItemSource, 'id' | 'url' | 'author'> & {
  readonly captions?: readonly Caption[];
  /** The route that gave the item; omitted by versions that had none. */
  readonly route?: string | null;
};

/** The captions of an item, by its ID. */
export interface ItemCaptions {
  readonly id: string;
  readonly captions: readonly Caption[];
}

/** An item that a page holds, with its source. */
export interface Located<Item> {
  readonly item: Item;
  readonly source: PageItemSource;
  /** Fields that the page shows in part, such as a text that is cut off. */
  readonly partial?: readonly string[];
}

/** Nothing is known of the source. */
export const noSource: PageItemSource = { id: null, url: null, author: null };

/** An author of whom something is known, or null. */
export function authorOrNull(known: Partial<ItemAuthor>): ItemAuthor | null {
  const { id = null, handle = null, name = null, url = null } = known;
  return [id, handle, name, url].every((value) => value === null) ? null : { id, handle, name, url };
}

/**
 * `sources` of one page of an answer, and the captions that its pages name, each as JSON text. `read` is what the cache
 * keeps of them, JSON text of a list. `given`: items on the pages before it. `records`: those of the archive, where one is
 * kept. `places`: the place of each item on the page, from 0, where others were left out.
 */
export function sourceTexts(
  read: string,
  given: number,
  fetchedAt: string,
  {
    records,
    places,
  }: {
    readonly records?: readonly string[] | undefined;
    readonly places?: readonly number[] | undefined;
  } = {},
): { readonly sources: string; readonly captions?: string } {
  const known = JSON.parse(read) as PageItemSource[];
  const sources = known.map(
    ({ id, url, author, route = null }, index): ItemSource => ({
      ...{ id, url, author },
      position: given + (places?.[index] ?? index) + 1,
      fetched_at: fetchedAt,
      route,
      ...(records === undefined ? {} : { records }),
    }),
  );
  const captions = known.flatMap(({ id, captions: own }): ItemCaptions[] =>
    id === null || own === undefined ? [] : [{ id, captions: own }],
  );
  return {
    sources: JSON.stringify(sources),
    ...(captions.length === 0 ? {} : { captions: JSON.stringify(captions) }),
  };
}
