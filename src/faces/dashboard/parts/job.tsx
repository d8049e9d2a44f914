import { integerText } from '../../../output/number-text.js';
import { Badge, stateBadge, type Tone } from '../../../output/site/status.js';
import type { Job, JobStatus, WebhookState } from '../../../service/jobs/job.js';

const statuses: Readonly<Record<JobStatus, readonly [Tone, string]>> = {
  queued: ['plain', 'Waiting'],
  running: ['busy', 'Running'],
  done: ['good', 'Done'],
  cancelled: ['bad', 'Cancelled'],
};

/** The status of a job, and how many inputs failed; one that finished with failures is amber. */
export function JobBadge({ of: { status, failed } }: { of: Pick<Job, 'status' | 'failed'> }) {
  const [tone, word] = statuses[status];
  if (failed === 0) return <Badge tone={tone}>{word}</Badge>;
  return <Badge tone={status === 'done' ? 'busy' : tone}>{`${word}, ${integerText(failed)} failed`}</Badge>;
}

export const WebhookBadge = stateBadge<WebhookState>({
  pending: ['busy', 'Pending'],
  delivered: ['good', 'Delivered'],
  failed: ['bad', 'Failed'],
});
