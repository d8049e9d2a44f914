/** A text that a page or a tool will need again soon. Its owner can recreate it. */
export interface ExpiringText {
  /** Ids are unique within a kind. */
  readonly kind: string;
  readonly id: string;
  /** Empty for none. */
  readonly owner: string;
  readonly value: string;
  readonly lifetimeMs: number;
}

/**
 * Short-lived texts shared by all servers of a database, so that any of them can answer a request. Every method rejects
 * with a `StorageError` if the store cannot be used.
 */
export interface ExpiringStore {
  /**
   * Stores a text, replacing any with the same id. Above `maxOfOwner` texts of an owner and kind, those that expire
   * first are dropped.
   */
  put(text: ExpiringText, maxOfOwner: number): Promise<void>;
  /** Returns a text and its owner; undefined if it is unknown or has expired. */
  find(kind: string, id: string): Promise<Pick<ExpiringText, 'owner' | 'value'> | undefined>;
  /** Claims an id for some time. Resolves with true for exactly one caller. */
  claim(kind: string, id: string, lifetimeMs: number): Promise<boolean>;
  delete(kind: string, id: string): Promise<void>;
}
