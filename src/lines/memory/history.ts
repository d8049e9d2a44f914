import type { ItemEvent } from './compare.js';
import type { Fields, Observation } from './observation.js';

/** Something that moved. */
export interface Change {
  /** Counts up within a history, in the order in which things were seen, whatever clocks said. Never given again. */
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
  /** The object as it is now, where it was asked for. */
  readonly item?: Fields;
}

/** A selection of changes; an empty query selects all of them. */
export interface ChangeQuery {
  /** Fetched at this time or later; milliseconds since 1970. */
  readonly since?: number | undefined;
  readonly field?: string | undefined;
  /** Only changes of the subjects with these numbers, which `subjects` gives. */
  readonly subjects?: readonly number[] | undefined;
  readonly events?: readonly ItemEvent[] | undefined;
  /** Leave out counts of the items of lists: likes and views grow with every reading. */
  readonly quiet?: boolean | undefined;
  /** The newest first; the oldest first by default. */
  readonly newestFirst?: boolean | undefined;
  /** Only changes with greater numbers: a reader that must not take long looks through a stretch at a time. */
  readonly after?: number | undefined;
  /** The page before's `next`. */
  readonly cursor?: number | null | undefined;
  /** At most so many; 100 by default. */
  readonly limit?: number | undefined;
  /** Give each change its object as it is now. */
  readonly items?: boolean | undefined;
}

export interface ChangePage {
  readonly changes: readonly Change[];
  /** The next page's `cursor`; null on the last page. */
  readonly next: number | null;
}

/** An object or a list that was read again and again. */
export interface HistorySubject {
  readonly number: number;
  readonly endpoint: string;
  readonly label: string;
  /** When it was first read; ISO 8601 UTC. */
  readonly first_at: string;
  /** The columns that the user's file last had beside it. */
  readonly own?: Fields;
}

/** The values of one field of one object over time. */
export interface Series {
  readonly subject: string;
  readonly endpoint: string;
  readonly object: string;
  readonly id: string;
  readonly url: string | null;
  readonly field: string;
  /** When a value was first seen, the oldest first; the last one says until when it is known to have held. */
  readonly points: readonly { readonly at: string; readonly value: unknown }[];
  /** The object as it is now, where it was asked for. */
  readonly item?: Fields;
}

export interface SeriesQuery {
  /** Only series of the subjects with these numbers. */
  readonly subjects?: readonly number[] | undefined;
  /** By default all fields whose values are numbers. */
  readonly field?: string | undefined;
  /** From this time on; milliseconds since 1970. */
  readonly since?: number | undefined;
  /** Give each series its object as it is now. */
  readonly items?: boolean | undefined;
}

/** The same of how many items lists have. */
export type SizeQuery = Omit<SeriesQuery, 'field' | 'items'>;

/** One history, to be read. */
export interface HistoryReader {
  /** A page of what moved. */
  changes(query?: ChangeQuery): Promise<ChangePage>;
  /** The values of fields over time, by subject and object. */
  series(query?: SeriesQuery): Promise<readonly Series[]>;
  /** How many items lists had over time: one series a subject, of the field `items`. */
  sizes(query?: SizeQuery): Promise<readonly Series[]>;
  /** The subjects, in the order of their first readings. */
  subjects(): Promise<readonly HistorySubject[]>;
  /** The run that began the history, which began no other one; null where nothing was recorded. */
  origin(): Promise<string | null>;
}

/**
 * The port to histories, item by item and field by field. Each scope has its own: a schedule's ID on a server, an empty
 * text in a user's file. Each method rejects with a `StorageError` when the store cannot be used.
 */
export interface History {
  /**
   * Records what a run observed, all of it or nothing, and resolves with what moved, in order, each change with its item.
   * The same observation again moves nothing: a run that was killed observes again, and loses and doubles nothing.
   */
  record(scope: string, run: string, observations: readonly Observation[]): Promise<readonly Change[]>;
  /** The history of a scope, to be read. */
  reader(scope: string): HistoryReader;
  /** Deletes, in all scopes, the changes that runs saw which ended before a time. Resolves with how many. */
  prune(before: number): Promise<number>;
}
