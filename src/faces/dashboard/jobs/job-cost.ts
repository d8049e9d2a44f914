import type { Job } from '../../../service/jobs/job.js';

/** Returns the credits that a job has charged so far. Sample data is refunded, like failed inputs. */
export function chargedOf(job: Job): number {
  const { completed, failed, total, credits_reserved: reserved, credits_refunded: refunded } = job;
  return (job.finished_at === null ? (reserved / total) * (completed + failed) : reserved) - refunded;
}

/** Returns the cost of a job so far, assuming every remaining input is answered. */
export const costOf = ({ credits_reserved, credits_refunded }: Job) => credits_reserved - credits_refunded;
