/** The subject of a memory: one endpoint's answers to one question, such as the posts of one account. */
export interface Subject {
  readonly endpoint: string;
  /** Digest of what was asked for, without page, limit and how the call runs. */
  readonly question: string;
}

/** The items of a list that one input gave. */
export interface GivenList {
  readonly subject: Subject;
  readonly items: readonly string[];
  /** The platform's own IDs of those items, in order; null for one without. */
  readonly ids?: readonly (string | null)[];
  /** Items that a reading to the end of the list lacked, and that may have slipped to another page. */
  readonly missing?: readonly string[];
  /** Items that are no longer in the list: they are forgotten, and new when they come back. */
  readonly removed?: readonly string[];
}

/** The items of one input, to be left out of later runs. */
export type Given = GivenList | { readonly subject: Subject; readonly object: string };

/** An item of a list that a reading lacks. */
export interface AbsentItem {
  readonly item: string;
  /** The platform's own ID. */
  readonly id: string;
  /** Readings to the end that lacked it before, one after the other. */
  readonly missing: number;
}

/** The items of a list that earlier runs gave, as far as it was asked about. */
export interface GivenItems {
  /** False when no run under the name has read the list. */
  readonly isKnown: boolean;
  readonly items: ReadonlySet<string>;
}

/** A name and what is remembered under it. */
export interface SeenItemsName {
  readonly name: string;
  /** Lists and objects. */
  readonly lists: number;
  readonly objects: number;
  /** Items of those lists. */
  readonly items: number;
  /** ISO 8601 UTC, by this machine's clock. */
  readonly created_at: string;
  readonly last_run_at: string;
}

/** The same for one of its endpoints. */
export interface SeenItemsOfEndpoint {
  readonly endpoint: string;
  readonly lists: number;
  readonly objects: number;
  readonly items: number;
}

/**
 * The port to the items that earlier runs returned. A full memory drops the item that was seen longest ago, whatever
 * clocks say. Beyond the maximum number of names, the one whose last run is oldest is forgotten. Each method rejects
 * with a `StorageError` when the store cannot be used.
 */
export interface SeenItemsStore {
  /** Resolves with the items of a list that were given under the name. */
  findItems(name: string, subject: Subject, items: readonly string[]): Promise<GivenItems>;
  /** The items of a list that have an ID and are not among these. */
  listAbsent(name: string, subject: Subject, items: readonly string[]): Promise<readonly AbsentItem[]>;
  /** The object that was last given under the name, as JSON text; null for none. */
  findObject(name: string, subject: Subject): Promise<string | null>;
  /** Whether anything is remembered under the name. */
  hasName(name: string): Promise<boolean>;
  /** Whether the list or object was read under the name. */
  isKnown(name: string, subject: Subject): Promise<boolean>;
  /** Remembers what was given, all of it or nothing; drops what goes beyond the bounds. */
  remember(name: string, given: readonly Given[]): Promise<void>;
  /** The names, in alphabetical order. */
  listNames(): Promise<readonly SeenItemsName[]>;
  /** The memory under a name, by endpoint. Rejects `invalid_parameter` for a name that is not there. */
  listEndpoints(name: string): Promise<readonly SeenItemsOfEndpoint[]>;
  /** Forgets a name. Rejects `invalid_parameter` for one that is not there. */
  forget(name: string): Promise<void>;
  close(): Promise<void>;
}

/** The limit of a memory: beyond it the longest unmet item is dropped, and given again. */
export interface SeenItemsBounds {
  readonly names: number;
  /** Items of one list. */
  readonly itemsOfList: number;
  /** Lists and objects of one name. */
  readonly subjectsOfName: number;
  /** Items of all lists of one name. */
  readonly itemsOfName: number;
}

export const seenItemsBounds: SeenItemsBounds = {
  names: 1_000,
  itemsOfList: 10_000,
  subjectsOfName: 1_000_000,
  itemsOfName: 5_000_000,
};
