import type { EmptyProof } from '../read/empty-proof.js';
import type { Located, PageItemSource } from '../read/item-source.js';
import type { Json } from '../read/json.js';
import type { PageSession } from '../web/page-source.js';

/** How well a route fills a field, if not in full. */
type Fill =
  /** Abbreviated, such as 1.2M, although another route has the exact number. */
  | 'rounded'
  /** With less, such as a smaller picture, although another route has the full one. */
  | 'smaller'
  /** For some subjects only, although another route has it for all. */
  | 'some'
  /** Never: the page does not have it. */
  | 'never';

/** The latest public evidence that a route answers a logged-out visitor. */
export interface Sighting {
  /** Such as 2026-10. */
  readonly month: string;
  /** The kinds of network from which it answered. */
  readonly from: readonly ('home' | 'datacentre')[];
}

export interface RouteContext<Identity> {
  readonly identity: Identity;
  /** Maximum number of items; 1 for an object. */
  readonly limit: number;
  /** The `next` of this route's previous part; null for the first part. */
  readonly part: Json;
  /** Fetches pages on the route's surface. A request may name another surface. */
  readonly session: PageSession;
  /** The operator's replacement for the platform's dated data; null if not set. */
  readonly overrides: Json;
  /** What earlier routes have found of the subject that this one completes. */
  readonly merged?: object;
}

/** What may help to resolve a subject, besides the call itself. */
export interface ResolveContext {
  /** The position after the previous part; null for the first one. */
  readonly part: Json;
  readonly overrides: Json;
  /** The subject's address, if another route has reported it. */
  readonly source?: PageItemSource | undefined;
}

/** A public page or API from which an endpoint's answer can be read. */
export interface Route<Identity, Answer> {
  /** Unique within its ladder, in kebab-case: `page`, `embed-video`. Appears in cursors and `coverage`. */
  readonly name: string;
  /** One line for documentation and `doctor`: what it reads. */
  readonly reads: string;
  /** Key of the site's `surfaces`, which are paced and rested independently. */
  readonly surface: string;
  readonly seen: Sighting;
  /** Requests per reading; one by default. */
  readonly requests?: number;
  /** Maximum list items per reading; unlimited by default. */
  readonly rows?: number;
  /** Maximum list items that the page has; unlimited by default. */
  readonly holds?: number;
  /** Fields of the object that it does not fill in full; none by default. */
  readonly fills?: Readonly<Record<string, Fill>> | undefined;
  /**
   * What its “not found” is worth: `proof` (the default) ends the call; a `witness` says the same of existing subjects,
   * and needs a second one.
   */
  readonly missing?: 'proof' | 'witness';
  /** Returns false for a subject that this page never has, for which the route is skipped. */
  applies?(identity: Identity): boolean;
  /** Returns the answer. Throws not found, a refusal or `platform_changed`; never returns a guess. */
  read(context: RouteContext<Identity>): Promise<Answer>;
}

/** The facts about a route that people see. */
export type RouteFacts = Pick<
  Route<never, unknown>,
  'name' | 'reads' | 'surface' | 'seen' | 'fills' | 'applies'
>;

/** One object, with every documented key; what the route does not have is null. */
export interface ObjectReading<Data> {
  readonly data: Data;
  readonly source: PageItemSource;
  /** True for a correct but thin answer, cached for minutes only. */
  readonly brief?: boolean;
  /** Fields whose numbers are rounded on this page; by default those in the route's `fills`. */
  readonly rounded?: readonly string[];
  /** Fields that this page shows in part, such as a truncated text. */
  readonly partial?: readonly string[];
  /** The platform's own count of the author's items. */
  readonly ofAuthor?: number | null;
}

/** Why a list ended, as `coverage.ended` names it. */
export type ListEnding = 'more' | 'end' | 'visitors' | 'repeated' | 'refused' | 'unknown';

export interface Part<Item> {
  readonly items: readonly Located<Item>[];
  /** Keys that identify the items; by default their source IDs. */
  readonly ids?: readonly string[];
  /** The position of the next part; null for none. */
  readonly next: Json;
  /** Required even if there are items. */
  readonly emptyProof: EmptyProof;
  /** The platform's own count of the whole list. */
  readonly total?: number | null;
  /** Why there is no next part; `unknown` by default. `end` relies on the platform's statement. */
  readonly ended?: Exclude<ListEnding, 'more'>;
  /** Parameters that the platform ignored. */
  readonly ignored?: readonly string[];
  /** True for a correct but thin answer, cached for minutes only. */
  readonly brief?: boolean;
  /** True if each row has everything the platform shows of its item, so that none is completed from its own page. */
  readonly isComplete?: boolean;
  /** True if a browser may see beyond the end of this route. */
  readonly endsEarly?: boolean;
}
