import type { EmptyProof } from '../read/empty-proof.js';
import type { PageItemSource } from '../read/item-source.js';
import type { Json } from '../read/json.js';
import type { PageSession } from '../web/page-source.js';
import type { Ended } from './route.js';

/** Input of a reader: the identity, the limit, the position, and the session that fetches pages. */
export interface ReadContext<Identity> {
  /** The subject of the call, as `identify` reduced it. */
  readonly identity: Identity;
  /** Items wanted at most; 1 for an endpoint that answers one object. */
  readonly limit: number;
  /** Where the previous page ended, as this reader put it into `next`; null on the first page. */
  readonly position: Json;
  /** Fetches the pages. */
  readonly session: PageSession;
  /**
   * True where a browser may give what lies beyond a list's beginning. A reader that knows of more says so
   * (`endsEarly`) before it completes items that will be asked for again.
   */
  readonly beyond?: boolean;
  /**
   * The operator's replacement of the platform's dated data (ids that change every few weeks), as its file holds it.
   * The reader checks it. Null or left out where nothing is set.
   */
  readonly overrides?: Json;
  /** Surfaces that refused within the hour: their routes are asked after the others. */
  readonly refusedLately?: readonly string[];
}

/** Output of a reader. */
export interface ReadResult<Data> {
  /** The object, or the items of the page. */
  readonly data: Data;
  /** Where the next page begins; null or left out on the last page. */
  readonly next?: Json;
  /** Where each item stands on its platform, in order; of one object, one entry. */
  readonly sources?: readonly PageItemSource[];
  /** The keys by which an item of a list is recognized, in order: its ID, or its content. */
  readonly ids?: readonly string[];
  /** True for a correct but incomplete answer (a thin page, a refused completion): cached for minutes only. */
  readonly brief?: boolean;
  /** True where the list goes on beyond its end here: what plain requests are given is its beginning alone. */
  readonly endsEarly?: boolean;
  /** The proof that the list is empty. Without it an empty one is `platform_changed`. */
  readonly emptyProof?: EmptyProof;
  /** Items of the whole list, by the platform's own count; null if it does not say. */
  readonly total?: number | null;
  /** Why the list ends here; `more` if it does not. */
  readonly ended?: Ended;
  /** Parameters that the platform ignored. */
  readonly ignored?: readonly string[];
  /** Fields whose numbers are rounded here, although another route has them exact. */
  readonly rounded?: readonly string[];
}

/** Output of a reader of a list. It names its proof whether there are items or not. */
type ListResult<Item> = ReadResult<Item[]> & { readonly emptyProof: EmptyProof };

/** The sources of what was read. */
export type WithSources = Required<Pick<ReadResult<unknown>, 'sources'>>;

/** Output of a reader of a list of the table. */
export type LocatedList<Item> = ListResult<Item> & WithSources;
