import { LRUCache } from 'lru-cache';
import type { Answer } from '../../../lib/call/envelope.js';
import type { Endpoint } from '../../../lib/endpoint.js';
import { minBatchAnswers } from './batch-comparison.js';
import { BatchShares } from './batch-shares.js';
import type { HealthWatch } from './health-watch.js';

/** Jobs that are compared at once. An answer that comes after the end of its job begins one that nobody ends. */
export const maxComparedJobs = 1_000;

/**
 * The fields of the answers of jobs under way, compared with what is usual when a job ends. The counts of a killed
 * process are lost: the rest of the job is compared.
 */
export class JobComparison {
  readonly #watch: Pick<HealthWatch, 'baselineOf'>;
  readonly #shares = new LRUCache<string, { readonly endpoint: Endpoint; readonly shares: BatchShares }>({
    max: maxComparedJobs,
  });

  constructor(watch: Pick<HealthWatch, 'baselineOf'>) {
    this.#watch = watch;
  }

  /** Counts an answer of a job. */
  addAnswer(job: string, endpoint: Endpoint, answer: Answer): void {
    const comparison = this.#shares.get(job) ?? { endpoint, shares: new BatchShares(endpoint) };
    this.#shares.set(job, comparison);
    comparison.shares.add(answer);
  }

  /** Ends a job. Gives a sentence for each field that its answers held less often than usual. */
  endJob(job: string): readonly string[] {
    const known = this.#shares.get(job);
    this.#shares.delete(job);
    if (known === undefined || known.shares.answers < minBatchAnswers) return [];
    return known.shares.comparedWith((field) => this.#watch.baselineOf(known.endpoint, field));
  }
}
