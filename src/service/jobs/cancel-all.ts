import { ExtractError } from '../../../lib/errors/extract-error.js';
import type { StoredJobs } from './stored-jobs.js';

function ignoreFinished(error: unknown): void {
  if (!(error instanceof ExtractError) || error.code !== 'job_already_finished') throw error;
}

/** Cancels the cancellable jobs of an account, each in its own transaction. */
export async function cancelAll(store: StoredJobs, account: string): Promise<void> {
  let before: string | undefined;
  do {
    const { jobs, next } = await store.list(account, 100, before);
    for (const { id, finished_at } of jobs) {
      if (finished_at === null) await store.cancel(account, id).catch(ignoreFinished);
    }
    before = next ?? undefined;
  } while (before !== undefined);
}
