import { ExtractError } from '../../../../lib/errors/extract-error.js';
import type { Job } from '../../../service/jobs/job.js';
import type { Jobs } from '../../../service/jobs/open-jobs.js';
import type { Delivery } from '../../../service/jobs/webhooks/webhooks.js';
import { chargedOf } from './job-cost.js';

export interface JobView {
  readonly job: Job;
  /** Null for a job without a webhook. */
  readonly delivery: Delivery | null;
  /** State of the results: `coming` while there will be more lines, `gone` after deletion. */
  readonly results: 'coming' | 'whole' | 'gone';
  /** Fields missing from the answers more often than usual. */
  readonly comparison: readonly string[];
}

async function resultsOf(jobs: Jobs, account: string, id: string): Promise<JobView['results']> {
  try {
    const { lines, total } = await jobs.store.readProgress(account, id);
    return lines === total ? 'whole' : 'coming';
  } catch (error) {
    if (error instanceof ExtractError && error.code === 'results_expired') return 'gone';
    throw error;
  }
}

/** Reads the content of a job's page. Rejects `job_not_found`. */
export async function jobView(jobs: Jobs, account: string, id: string): Promise<JobView> {
  const job = await jobs.store.find(account, id);
  const delivery = job.webhook === undefined ? null : await jobs.webhooks.findDelivery(account, id);
  const comparison = await jobs.store.readComparison(account, id);
  return { job, delivery, results: await resultsOf(jobs, account, id), comparison };
}

/** True when the job, its results and its webhook have finished. */
export function isFinal({ results, delivery }: JobView): boolean {
  return results !== 'coming' && delivery?.state !== 'pending';
}

/** Returns a text that changes when more than the page's numbers change. */
export function viewKey({ job, delivery, results, comparison }: JobView): string {
  const { state = '', attempts = [] } = delivery ?? {};
  return [job.status, results, state, attempts.length, comparison.length, chargedOf(job) > 0].join(' ');
}
