import type { ItemEvent } from './compare.js';
import type { Fields, Observation } from './observation.js';

export interface Change {
  /** Increases within a history, in the order things were seen, regardless of clocks. Never reused. */
  readonly number: number;
  readonly event: ItemEvent;
  /** Name of the object, such as `shortvideo_profile`. */
  readonly object: string;
  readonly id: string;
  /** Public URL at which a person sees it. */
  readonly url: string | null;
  /** The query for people: `nasa`. */
  readonly subject: string;
  readonly endpoint: string;
  readonly field: string | null;
  readonly before: unknown;
  readonly after: unknown;
  /** ISO 8601 UTC. */
  readonly fetched_at: string;
  /** The run that saw it. */
  readonly run: string;
  readonly item?: Fields;
}

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
  readonly items?: boolean | undefined;
}

export interface ChangePage {
  readonly changes: readonly Change[];
  readonly next: number | null;
}

export interface HistorySubject {
  readonly number: number;
  readonly endpoint: string;
  readonly label: string;
  /** When it was first read; ISO 8601 UTC. */
  readonly first_at: string;
  readonly own?: Fields;
}

/** The values of one field of one object over time. */
export interface Series extends Pick<Change, 'subject' | 'endpoint' | 'object' | 'id' | 'url' | 'item'> {
  readonly field: string;
  /** When each value was first seen, oldest first. The last point is the last time it was seen. */
  readonly points: readonly { readonly at: string; readonly value: unknown }[];
}

export interface SeriesQuery {
  readonly subjects?: readonly number[] | undefined;
  /** By default all numeric fields. */
  readonly field?: string | undefined;
  /** From this time on; milliseconds since 1970. */
  readonly since?: number | undefined;
  readonly items?: boolean | undefined;
}

export type SizeQuery = Omit<SeriesQuery, 'field' | 'items'>;

export interface HistoryReader {
  changes(query?: ChangeQuery): Promise<ChangePage>;
  /** Returns the values of fields over time, by subject and object. */
  series(query?: SeriesQuery): Promise<readonly Series[]>;
  /** Returns the number of items in lists over time: one series per subject, of the field `items`. */
  sizes(query?: SizeQuery): Promise<readonly Series[]>;
  subjects(): Promise<readonly HistorySubject[]>;
  /** Returns the run that began this history; null if nothing was recorded. */
  origin(): Promise<string | null>;
}

/**
 * The port to histories, item by item and field by field. Each scope has its own: a schedule's ID on a server, an empty
 * string in a user's file. Each method rejects with a `StorageError` if the store is unusable.
 */
export interface History {
  /**
   * Records what a run observed, atomically, and resolves with the changes in order, each with its item. Idempotent: a
   * run that was killed observes again, and nothing is lost or doubled.
   */
  record(scope: string, run: string, observations: readonly Observation[]): Promise<readonly Change[]>;
  reader(scope: string): HistoryReader;
  /** Deletes, in all scopes, the changes seen by runs that ended before a time. Resolves with the count. */
  prune(before: number): Promise<number>;
}
