import type { StoredJobs } from './stored-jobs.js';

/** Stores which fields the answers of finished jobs lacked, one job at a time. */
export class Comparisons {
  readonly #store: Pick<StoredJobs, 'saveComparison'>;
  readonly #comparisonOf: ((job: string) => readonly string[]) | undefined;
  readonly #onError: (job: string, cause: unknown) => void;
  #keeping: Promise<void> = Promise.resolve();

  constructor(
    store: Pick<StoredJobs, 'saveComparison'>,
    comparisonOf: ((job: string) => readonly string[]) | undefined,
    onError: (job: string, cause: unknown) => void,
  ) {
    this.#store = store;
    this.#comparisonOf = comparisonOf;
    this.#onError = onError;
  }

  save(id: string): void {
    const sentences = this.#comparisonOf?.(id) ?? [];
    if (sentences.length === 0) return;
    this.#keeping = this.#keeping
      .then(() => this.#store.saveComparison(id, sentences))
      .catch((cause: unknown) => this.#onError(id, cause));
  }

  /** Resolves when every comparison is stored. */
  settle(): Promise<void> {
    return this.#keeping;
  }
}
