import type { ItemEvent } from './compare.js';
import type { Fields, Observation } from './observation.js';

/** A recorded change. */
export interface Change {
  /** Increases within a history, in the order things were seen, regardless of clocks. Never reused. */
  readonly number: number;
  readonly event: ItemEvent;
  /** Name of the object, such as `shortvideo_profile`. */
  readonly object: string;
  /** The platform's own ID of the item. */
  readonly id: string;
  /** Public URL at which a person sees it. */
  readonly url: string | null;
  /** The subject's label: `nasa`. */
  readonly subject: string;
  readonly endpoint: string;
  /** The field that changed; null for the other events. */
  readonly field: string | null;
  readonly before: unknown;
  readonly after: unknown;
  /** ISO 8601 UTC. */
  readonly fetched_at: string;
  /** The run that saw it. */
  readonly run: string;
  /** The object's current state, if requested. */
  readonly item?: Fields;
}

/** A selection of changes; an empty query selects all of them. */
export interface ChangeQuery {
  /** Fetched at this time or later; milliseconds since 1970. */
  readonly since?: number | undefined;
  readonly field?: string | undefined;
  /** Only changes of the subjects with these numbers, which `subjects` returns. */
  readonly subjects?: readonly number[] | undefined;
  readonly events?: readonly ItemEvent[] | undefined;
  /** Omit counts of list items, because likes and views grow with every reading. */
  readonly quiet?: boolean | undefined;
  /** Newest first; the default is oldest first. */
  readonly newestFirst?: boolean | undefined;
  /** Only changes with higher numbers, for readers that must examine a range at a time. */
  readonly after?: number | undefined;
  /** The previous page's `next`. */
  readonly cursor?: number | null | undefined;
  /** Maximum number; 100 by default. */
  readonly limit?: number | undefined;
  /** Include each object's current state. */
  readonly items?: boolean | undefined;
}

export interface ChangePage {
  readonly changes: readonly Change[];
  /** The next page's `cursor`; null on the last page. */
  readonly next: number | null;
}

/** An object or a list that was read repeatedly. */
export interface HistorySubject {
  readonly number: number;
  readonly endpoint: string;
  readonly label: string;
  /** When it was first read; ISO 8601 UTC. */
  readonly first_at: string;
  /** The last values of the columns next to it in the user's file. */
  readonly own?: Fields;
}

/** The values of one field of one object over time. */
export interface Series extends Pick<Change, 'subject' | 'endpoint' | 'object' | 'id' | 'url' | 'item'> {
  readonly field: string;
  /** When each value was first seen, oldest first; the last one says until when it is known to have held. */
  readonly points: readonly { readonly at: string; readonly value: unknown }[];
}

export interface SeriesQuery {
  /** Only series of the subjects with these numbers. */
  readonly subjects?: readonly number[] | undefined;
  /** By default all numeric fields. */
  readonly field?: string | undefined;
  /** From this time on; milliseconds since 1970. */
  readonly since?: number | undefined;
  /** Include each object's current state. */
  readonly items?: boolean | undefined;
}

/** The same for the number of items in lists. */
export type SizeQuery = Omit<SeriesQuery, 'field' | 'items'>;

/** A reader of one history. */
export interface HistoryReader {
  /** Returns a page of changes. */
  changes(query?: ChangeQuery): Promise<ChangePage>;
  /** Returns the values of fields over time, by subject and object. */
  series(query?: SeriesQuery): Promise<readonly Series[]>;
  /** Returns the number of items in lists over time: one series per subject, of the field `items`. */
  sizes(query?: SizeQuery): Promise<readonly Series[]>;
  /** Returns the subjects, in the order of their first readings. */
  subjects(): Promise<readonly HistorySubject[]>;
  /** Returns the run that began the history and no other one; null if nothing was recorded. */
  origin(): Promise<string | null>;
}

/**
 * The port to histories, item by item and field by field. Each scope has its own: a schedule's ID on a server, an empty
 * string in a user's file. Each method rejects with a `StorageError` if the store is unusable.
 */
export interface History {
  /**
   * Records what a run observed, atomically, and resolves with the changes, in order, each with its item. A repeated
   * observation changes nothing, so a run that was killed observes again, and nothing is lost or doubled.
   */
  record(scope: string, run: string, observations: readonly Observation[]): Promise<readonly Change[]>;
  /** Returns a reader of a scope's history. */
  reader(scope: string): HistoryReader;
  /** Deletes, in all scopes, the changes seen by runs that ended before a time. Resolves with the count. */
  prune(before: number): Promise<number>;
}
