/**
 * A text that is stored for a while because a page or a tool will need it again soon. Its owner can recreate it if it
 * is lost.
 */
export interface ExpiringText {
  /** The kind of the text. Ids are unique within a kind. */
  readonly kind: string;
  readonly id: string;
  /** Its owner; empty if there is none. */
  readonly owner: string;
  readonly value: string;
  readonly lifetimeMs: number;
}

/**
 * The port to texts that all servers of a database need for a while, so that a request may reach any of them. Every
 * method rejects with a `StorageError` if the store cannot be used.
 */
export interface ExpiringStore {
  /**
   * Stores a text, replacing the one with the same id. At most `maxOfOwner` texts of an owner and a kind are kept: the
   * ones that expire first are dropped.
   */
  put(text: ExpiringText, maxOfOwner: number): Promise<void>;
  /** Returns the text of an id and its owner; undefined for an unknown id, and once the text has expired. */
  find(kind: string, id: string): Promise<Pick<ExpiringText, 'owner' | 'value'> | undefined>;
  /** Claims an id that was not claimed within that time. Resolves with true for exactly one caller. */
  claim(kind: string, id: string, lifetimeMs: number): Promise<boolean>;
  delete(kind: string, id: string): Promise<void>;
}
