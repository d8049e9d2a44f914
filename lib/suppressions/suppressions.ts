import type { Subject } from './subject.js';

export interface Suppression extends Subject {
  /** Milliseconds since 1970. */
  readonly addedAt: number;
}

/** The subjects that no answer may contain. Each method rejects with a `StorageError` if the store cannot be used. */
export interface Suppressions {
  /** Suppresses a subject. Returns false if it already was. */
  add(subject: Subject): Promise<boolean>;
  /** Returns false if it was not suppressed. */
  remove(subject: Subject): Promise<boolean>;
  /** Ordered by platform and key. */
  list(): Promise<readonly Suppression[]>;
  /** Returns a text that changes with the list; null for an empty list. */
  mark(): Promise<string | null>;
}
