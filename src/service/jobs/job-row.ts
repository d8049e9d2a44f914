import type { Columns, RowOf } from '../../../lib/database/columns.js';
import { isoOrNull, isoTime } from '../../../lib/read/iso-time.js';
import { dayMs } from '../../../lib/runtime/clock.js';
import type { Job, JobAtWork, JobPage, JobStatus, LineOptions, WebhookState } from './job.js';

export const jobColumns = {
  id: 'id',
  account: 'id',
  key_id: 'id?',
  key_name: 'text?',
  endpoint: 'id',
  status: 'id',
  credits: 'integer',
  total: 'integer',
  completed: 'integer',
  failed: 'integer',
  credits_refunded: 'integer',
  created_at: 'integer',
  finished_at: 'integer?',
  lines: 'integer',
  bytes: 'integer',
  late_bytes: 'integer',
  forgotten: 'integer',
  deleted: 'integer',
  webhook_url: 'text?',
  webhook_state: 'id?',
  webhook_id: 'id?',
  webhook_tries: 'integer',
  webhook_due: 'integer?',
  schedule: 'id?',
  name: 'text?',
  comparison: 'text?',
  input_bytes: 'integer',
  line_options: 'text?',
  webhook_claimed: 'integer',
  archive_bytes: 'integer',
} as const satisfies Columns;

export interface JobRow extends RowOf<typeof jobColumns> {
  readonly status: JobStatus;
  readonly webhook_state: WebhookState | null;
}

export function lineOptionsText(options: LineOptions = {}): string | null {
  return Object.keys(options).length === 0 ? null : JSON.stringify(options);
}

export function lineOptionsOf(row: Pick<JobRow, 'line_options'>): LineOptions {
  if (row.line_options === null) return {};
  const { archive: _, ...options } = JSON.parse(row.line_options) as LineOptions & { archive?: true };
  return options;
}

/** Returns when results are deleted; null while the job runs. */
export const expiryOf = ({ finished_at }: Pick<JobRow, 'finished_at'>, resultDays: number) =>
  finished_at === null ? null : finished_at + resultDays * dayMs;

export function toJob(row: JobRow, resultDays: number): Job {
  const webhook =
    row.webhook_url === null || row.webhook_state === null
      ? {}
      : { webhook: { url: row.webhook_url, state: row.webhook_state } };
  return {
    id: row.id,
    ...(row.name === null ? {} : { name: row.name }),
    endpoint: row.endpoint,
    ...lineOptionsOf(row),
    status: row.status,
    total: row.total,
    completed: row.completed,
    failed: row.failed,
    credits_reserved: row.total * row.credits,
    credits_refunded: row.credits_refunded,
    results_url: `/v1/jobs/${row.id}/results`,
    results_expire_at: isoOrNull(expiryOf(row, resultDays)),
    ...webhook,
    ...(row.schedule === null ? {} : { schedule: row.schedule }),
    created_at: isoTime(row.created_at),
    finished_at: isoOrNull(row.finished_at),
  };
}

/** Builds a page of jobs. One row more than the limit means that another page follows. */
export function jobPage(rows: readonly JobRow[], limit: number, resultDays: number): JobPage {
  const jobs = rows.slice(0, limit).map((row) => toJob(row, resultDays));
  return { jobs, next: rows.length > limit ? (jobs.at(-1)?.id ?? null) : null };
}

export const keyOf = ({ key_id, key_name }: Pick<JobRow, 'key_id' | 'key_name'>): JobAtWork['key'] =>
  key_id === null ? undefined : { id: key_id, name: key_name ?? '' };

export function toJobAtWork(row: JobRow): JobAtWork {
  return {
    id: row.id,
    account: row.account,
    key: keyOf(row),
    endpoint: row.endpoint,
    credits: row.credits,
    total: row.total,
    status: row.status,
    lineOptions: lineOptionsOf(row),
    schedule: row.schedule,
  };
}
