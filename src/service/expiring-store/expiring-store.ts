/** A text that is kept for a while, as a page or a tool needs it again soon. Its owner can make a lost text anew. */
export interface ExpiringText {
  /** The kind of the text; ids are unique within a kind. */
  readonly kind: string;
  readonly id: string;
  /** Its owner; an empty text for nobody. */
  readonly owner: string;
  readonly value: string;
  readonly lifetimeMs: number;
}

/**
 * The port to texts that all servers of a database need for a while. With it a request may go to any of them. Every
 * method rejects with a `StorageError` where the store cannot be used.
 */
export interface ExpiringStore {
  /**
   * Stores a text, in place of the one under its id. At most `maxOfOwner` texts of an owner and a kind stay: the texts
   * that expire first make room.
   */
  put(text: ExpiringText, maxOfOwner: number): Promise<void>;
  /** The text of an id and its owner; undefined for an unknown id, and once the text has expired. */
  find(kind: string, id: string): Promise<Pick<ExpiringText, 'owner' | 'value'> | undefined>;
  /** Takes an id that nobody took within that time. Resolves with true for one caller alone. */
  claim(kind: string, id: string, lifetimeMs: number): Promise<boolean>;
  delete(kind: string, id: string): Promise<void>;
}
