import { integerText } from '../../../output/number-text.js';
import { Badge, type Tone } from '../../../output/site/status.js';
import type { Job, JobStatus, WebhookState } from '../../../service/jobs/job.js';

const statuses: Readonly<Record<JobStatus, readonly [Tone, string]>> = {
  queued: ['plain', 'Waiting'],
  running: ['busy', 'Running'],
  done: ['good', 'Done'],
  cancelled: ['bad', 'Cancelled'],
};

/** The status of a job; one that finished with failures is amber. */
export function JobBadge({ of: { status, failed } }: { of: Pick<Job, 'status' | 'failed'> }) {
  const [tone, word] = statuses[status];
  if (status !== 'done' || failed === 0) return <Badge tone={tone}>{word}</Badge>;
  return <Badge tone="busy">{`Done, ${integerText(failed)} failed`}</Badge>;
}

const states: Readonly<Record<WebhookState, readonly [Tone, string]>> = {
  pending: ['busy', 'Pending'],
  delivered: ['good', 'Delivered'],
  failed: ['bad', 'Failed'],
};

export function WebhookBadge({ state }: { state: WebhookState }) {
  const [tone, word] = states[state];
  return <Badge tone={tone}>{word}</Badge>;
}

/** Returns the cost of a job so far, assuming every remaining input is answered. */
export const costOf = ({ credits_reserved, credits_refunded }: Job) => credits_reserved - credits_refunded;
