import type { EmptyProof } from '../read/empty-proof.js';
import type { PageItemSource } from '../read/item-source.js';
import type { Json } from '../read/json.js';
import type { PageSession } from '../web/page-source.js';
import type { ListEnding } from './route.js';

/** Returns which of these IDs belong to items whose pages need not be read. */
export type KnownItems = (ids: readonly string[]) => Promise<ReadonlySet<string>>;

/** A reader's input: the identity, the limit, the position, and the session that fetches pages. */
export interface ReadContext<Identity> {
  /** The subject of the call, as `identify` reduced it. */
  readonly identity: Identity;
  /** Maximum number of items; 1 for an endpoint that returns one object. */
  readonly limit: number;
  /** The position after the previous page, from this reader's `next`; null on the first page. */
  readonly position: Json;
  readonly session: PageSession;
  /**
   * True if a browser can read beyond the start of a list. A reader that knows of more reports it (`endsEarly`) before
   * it completes items that will be requested again.
   */
  readonly beyond?: boolean;
  /**
   * The operator's replacement for the platform's dated data (IDs that change every few weeks), validated by the
   * reader. Null or omitted if not set.
   */
  readonly overrides?: Json;
  /** Surfaces that refused within the hour; their routes come after the others. */
  readonly refusedLately?: readonly string[];
  /** Items of a list that need not be completed; none by default. */
  readonly knownItems?: KnownItems | undefined;
}

/** A reader's output. */
export interface ReadResult<Data> {
  /** The object, or the items of the page. */
  readonly data: Data;
  /** The position of the next page; null or omitted on the last one. */
  readonly next?: Json;
  /** Where each item is on its platform, in order; one entry for an object. */
  readonly sources?: readonly PageItemSource[];
  /** Keys that identify a list's items, in order: IDs, or derived from content. */
  readonly ids?: readonly string[];
  /** True for a correct but incomplete answer (a thin page, a refused completion), cached for minutes only. */
  readonly brief?: boolean;
  /** True if the list continues beyond this end: plain requests only receive its beginning. */
  readonly endsEarly?: boolean;
  /** The proof that the list is empty, without which an empty list is `platform_changed`. */
  readonly emptyProof?: EmptyProof;
  /** The platform's own count of the whole list; null without one. */
  readonly total?: number | null;
  /** Why the list ends here; `more` if it does not. */
  readonly ended?: ListEnding;
  /** Parameters that the platform ignored. */
  readonly ignored?: readonly string[];
  /** Fields whose numbers are rounded here, although another route has them exact. */
  readonly rounded?: readonly string[];
}

/** A list reader's output. It states its proof whether there are items or not. */
type ListResult<Item> = ReadResult<Item[]> & { readonly emptyProof: EmptyProof };

export type WithSources = Required<Pick<ReadResult<unknown>, 'sources'>>;

export type LocatedList<Item> = ListResult<Item> & WithSources;
