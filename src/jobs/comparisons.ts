import type { JobStore } from './job-store.js';

/** What the answers of finished jobs lacked, kept one job after the other. */
export class Comparisons {
  readonly #store: Pick<JobStore, 'keepComparison'>;
  readonly #comparisonOf: ((job: string) => readonly string[]) | undefined;
  readonly #onError: (job: string, cause: unknown) => void;
  #keeping: Promise<void> = Promise.resolve();

  constructor(
    store: Pick<JobStore, 'keepComparison'>,
    comparisonOf: ((job: string) => readonly string[]) | undefined,
    onError: (job: string, cause: unknown) => void,
  ) {
    this.#store = store;
    this.#comparisonOf = comparisonOf;
    this.#onError = onError;
  }

  /** A job has finished: its comparison ends, and is kept. */
  finished(id: string): void {
    const sentences = this.#comparisonOf?.(id) ?? [];
    if (sentences.length === 0) return;
    this.#keeping = this.#keeping
      .then(() => this.#store.keepComparison(id, sentences))
      .catch((cause: unknown) => this.#onError(id, cause));
  }

  /** Resolves when what was to be kept is kept. */
  kept(): Promise<void> {
    return this.#keeping;
  }
}
