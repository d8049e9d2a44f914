import type { EmptyProof } from '../read/empty-proof.js';
import type { Located, PageItemSource } from '../read/item-source.js';
import type { Json } from '../read/json.js';
import type { PageSession } from '../web/page-source.js';

/** How well a route fills a field that it does not fill in full. */
type Fill =
  /** As abbreviated in print, such as 1.2M, although another route has the exact number. */
  | 'rounded'
  /** A lesser form, such as a smaller picture, although another route has the full one. */
  | 'smaller'
  /** For some subjects only, although another route has it for all. */
  | 'some'
  /** The place does not have it. */
  | 'never';

/** The latest public evidence that a route answers a logged-out visitor. */
export interface Sighting {
  /** Such as 2026-10. */
  readonly month: string;
  /** The kinds of network from which it answered. */
  readonly from: readonly ('home' | 'datacentre')[];
}

/** The input of a route. */
export interface RouteContext<Identity> {
  /** The subject of the call. */
  readonly identity: Identity;
  /** Maximum number of items wanted; 1 for an object. */
  readonly limit: number;
  /** Where this route's previous part ended, as it put it into `next`; null for the first part. */
  readonly part: Json;
  /** Fetches pages on the route's surface. A request that names another surface goes there. */
  readonly session: PageSession;
  /** The operator's replacement for the platform's dated data; null if not set. */
  readonly overrides: Json;
  /** What was found of the subject before this route completes it. */
  readonly found?: object;
}

/** What may help to resolve a subject, in addition to the call itself. */
export interface Beside {
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
  /** Key of the site's `surfaces`: the unit that is paced and rested together. */
  readonly surface: string;
  readonly seen: Sighting;
  /** Requests per reading; one if omitted. */
  readonly requests?: number;
  /** Maximum number of list items per reading; as many as a call may want if omitted. */
  readonly rows?: number;
  /** Maximum number of list items that the place has; as many as a call may want if omitted. */
  readonly holds?: number;
  /** Fields of the object that it does not fill in full. */
  readonly fills: Readonly<Record<string, Fill>>;
  /**
   * What its “not found” is worth: `proof` ends the call; a `witness` says the same of existing subjects, and needs a
   * second one. `proof` if omitted.
   */
  readonly missing?: 'proof' | 'witness';
  /** Returns false for a subject that this place never has, for which the route is skipped. */
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
  /** Fields whose numbers are rounded on this page; those in the route's `fills` if omitted. */
  readonly rounded?: readonly string[];
  /** Fields that this page shows in part, such as a truncated text. */
  readonly partial?: readonly string[];
  /** Items of the same author, by the platform's own count. */
  readonly ofAuthor?: number | null;
}

/** Why a list ended, as `coverage.ended` names it. */
export type ListEnding = 'more' | 'end' | 'visitors' | 'repeated' | 'refused' | 'unknown';

/** One part of a list. */
export interface Part<Item> {
  readonly items: readonly Located<Item>[];
  /** Keys that identify the items; their source IDs if omitted. */
  readonly ids?: readonly string[];
  /** The position of the next part; null if there is none. */
  readonly next: Json;
  /** Required even if there are items. */
  readonly emptyProof: EmptyProof;
  /** Items in the whole list, by the platform's own count. */
  readonly total?: number | null;
  /** Why there is no next part; `unknown` if omitted. `end` relies on the platform's statement. */
  readonly ended?: Exclude<ListEnding, 'more'>;
  /** Parameters that the platform ignored. */
  readonly ignored?: readonly string[];
  /** True for a correct but thin answer, cached for minutes only. */
  readonly brief?: boolean;
  /** True if each row has everything the platform shows of its item, so none is completed from its own page. */
  readonly isWhole?: boolean;
  /** True if a browser may see beyond the end of this route. */
  readonly endsEarly?: boolean;
}
