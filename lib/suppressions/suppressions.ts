import type { Subject } from './subject.js';

/** A suppressed subject, and since when. */
export interface Suppression extends Subject {
  /** Milliseconds since 1970. */
  readonly addedAt: number;
}

/**
 * The port to the subjects that no answer may contain. Each method rejects with a `StorageError` if the store cannot be
 * used.
 */
export interface Suppressions {
  /** Suppresses a subject. Returns false if it already was. */
  add(subject: Subject): Promise<boolean>;
  /** Removes the suppression of a subject. Returns false if there was none. */
  remove(subject: Subject): Promise<boolean>;
  /** Returns all of them, by platform and key. */
  list(): Promise<readonly Suppression[]>;
  /** Returns a text that changes with the list; null if the list is empty. */
  mark(): Promise<string | null>;
}
