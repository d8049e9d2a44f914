import { LRUCache } from 'lru-cache';
import type { Answer } from '../../../lib/call/envelope.js';
import type { Endpoint } from '../../../lib/endpoint.js';
import { minBatchAnswers } from './batch-comparison.js';
import { BatchShares } from './batch-shares.js';
import type { HealthWatch } from './health-watch.js';

/**
 * Maximum number of jobs compared at the same time. An answer that arrives after its job ended would start a comparison
 * that nothing ends.
 */
const maxComparedJobs = 1_000;

/**
 * Counts the fields in answers of running jobs and compares them with the baseline when a job ends. Counts are lost if
 * the process is killed, and only the rest of the job is compared.
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

  /** Ends a job. Returns a sentence for each field that its answers held less often than usual. */
  endJob(job: string): readonly string[] {
    const known = this.#shares.get(job);
    this.#shares.delete(job);
    if (known === undefined || known.shares.answers < minBatchAnswers) return [];
    return known.shares.comparedWith((field) => this.#watch.baselineOf(known.endpoint, field));
  }
}
