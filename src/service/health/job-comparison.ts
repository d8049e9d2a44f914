import { LRUCache } from 'lru-cache';
import type { Answer } from '../../../lib/call/envelope.js';
import type { Endpoint } from '../../../lib/endpoint.js';
import { minBatchAnswers } from './batch-comparison.js';
import { BatchShares } from './batch-shares.js';
import type { HealthWatch } from './health-watch.js';

/**
 * Maximum jobs compared concurrently. An answer after the end of its job would start a comparison that nothing ends.
 */
const maxComparedJobs = 1_000;

/**
 * Counts the fields in the answers of running jobs, and compares them with the baseline when a job ends. If the process
 * is killed, only the rest of the job is compared.
 */
export class JobComparison {
  readonly #watch: Pick<HealthWatch, 'baselineOf'>;
  readonly #shares = new LRUCache<string, { readonly endpoint: Endpoint; readonly shares: BatchShares }>({
    max: maxComparedJobs,
  });

  constructor(watch: Pick<HealthWatch, 'baselineOf'>) {
    this.#watch = watch;
  }

  addAnswer(job: string, endpoint: Endpoint, answer: Answer): void {
    const comparison = this.#shares.get(job) ?? { endpoint, shares: new BatchShares(endpoint) };
    this.#shares.set(job, comparison);
    comparison.shares.add(answer);
  }

  /** Ends a job. Returns a sentence for each field that was missing more often than usual. */
  endJob(job: string): readonly string[] {
    const entry = this.#shares.get(job);
    this.#shares.delete(job);
    if (entry === undefined || entry.shares.answers < minBatchAnswers) return [];
    return entry.shares.comparedWith((field) => this.#watch.baselineOf(entry.endpoint, field));
  }
}
