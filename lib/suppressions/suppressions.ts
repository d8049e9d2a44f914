import type { Subject } from './subject.js';

/** A subject that is left out, and since when. */
export interface Suppression extends Subject {
  /** Milliseconds since 1970. */
  readonly addedAt: number;
}

/** The port to the subjects that nobody is given. Each method rejects with a `StorageError` where it cannot be used. */
export interface Suppressions {
  /** Leaves a subject out from now on; false where it was left out already. */
  add(subject: Subject): Promise<boolean>;
  /** Leaves it out no longer; false where it was not left out. */
  remove(subject: Subject): Promise<boolean>;
  /** All of them, by platform and key. */
  list(): Promise<readonly Suppression[]>;
  /** A text that changes with the list; null where the list is empty. */
  mark(): Promise<string | null>;
}
