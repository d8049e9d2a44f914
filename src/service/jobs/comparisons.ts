import type { StoredJobs } from './stored-jobs.js';

/** Returns how to store which fields the answers of finished jobs lacked, one job at a time. */
export function comparisons(
  store: Pick<StoredJobs, 'saveComparison'>,
  comparisonOf: ((job: string) => readonly string[]) | undefined,
  onError: (job: string, cause: unknown) => void,
) {
  let saving: Promise<void> = Promise.resolve();
  return {
    /** Finishes the comparison of a finished job, and stores its sentences. */
    save(id: string): void {
      const sentences = comparisonOf?.(id) ?? [];
      if (sentences.length === 0) return;
      saving = saving
        .then(() => store.saveComparison(id, sentences))
        .catch((cause: unknown) => onError(id, cause));
    },
    /** Resolves when every comparison is stored. */
    settle: () => saving,
  };
}
