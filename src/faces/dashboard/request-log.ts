import { decodeTime, encodeTime } from 'ulid';
import type { CallPosition } from '../../../lib/ledger/usage.js';
import type { UsageRow } from '../../../lib/ledger/usage-row.js';
import type { Job } from '../../service/jobs/job.js';
import type { StoredJobs } from '../../service/jobs/stored-jobs.js';
import type { UsageQueries } from '../../service/usage/ledger-usage.js';
import type { RefusedCall, RefusedCalls } from '../../service/usage/refused-calls.js';
import { dayAfter } from './days.js';
import { type HistoryFilters, pageSize } from './history.js';

/** A row of the request log: a call, one refused before its charge, or a job's calls. */
export type RequestEntry =
  | { readonly kind: 'call'; readonly call: UsageRow }
  | { readonly kind: 'refused'; readonly call: RefusedCall }
  | { readonly kind: 'job'; readonly job: Job };

export interface RequestLogPage {
  readonly entries: readonly RequestEntry[];
  /** Where the next page begins; null on the last. */
  readonly next: string | null;
}

export interface RequestLogSources {
  readonly usage: UsageQueries;
  readonly refusedCalls: RefusedCalls;
  readonly jobs: Pick<StoredJobs, 'list'>;
}

/** Returns the time of an entry, and its ID for entries of the same millisecond. */
function positionOf(entry: RequestEntry): CallPosition {
  if (entry.kind === 'job') return { at: decodeTime(entry.job.id.slice('job_'.length)), id: entry.job.id };
  return { at: Date.parse(entry.call.created_at), id: entry.call.id };
}

const isBefore = (a: CallPosition, b: CallPosition) => a.at > b.at || (a.at === b.at && a.id > b.id);

/** The latest time that an ID can begin with. */
const maxTime = 2 ** 48 - 1;

/** Parses a position from an address; undefined for none or an invalid one. */
function positionFrom(text: string | undefined): CallPosition | undefined {
  const [at, id] = /^(\d{1,15})-(.{1,100})$/.exec(text ?? '')?.slice(1) ?? [];
  if (at === undefined || id === undefined || Number(at) > maxTime) return undefined;
  return { at: Number(at), id };
}

/** Returns the ID before which later pages' jobs are; IDs begin with their time. */
function jobBefore(position: CallPosition | undefined): string | undefined {
  if (position === undefined || position.id.startsWith('job_')) return position?.id;
  return `job_${encodeTime(position.at)}~`;
}

async function jobsOf(
  { jobs }: RequestLogSources,
  account: string,
  { endpoint, status, key, from, to, code }: HistoryFilters,
  position: CallPosition | undefined,
): Promise<readonly RequestEntry[]> {
  // Inputs that failed with an error code are individual rows.
  if (status === 'refused' || code !== undefined) return [];
  const time = (day: string | undefined) => (day === undefined ? undefined : Date.parse(day));
  const page = await jobs.list(account, pageSize + 1, jobBefore(position), null, {
    ...{ endpoint, key, ended: status },
    ...{ from: time(from), to: time(to === undefined ? undefined : dayAfter(to)) },
  });
  return page.jobs.map((job) => ({ kind: 'job', job }));
}

/**
 * Returns a page of an account's requests that match all filters, newest first, with one row per job. With `job`,
 * returns that job's inputs in order; with `code`, each input that failed with it.
 */
export async function requestLog(
  sources: RequestLogSources,
  account: string,
  filters: HistoryFilters,
  before: string | undefined,
): Promise<RequestLogPage> {
  const { usage, refusedCalls } = sources;
  const { endpoint, status, key, code, from, to, job } = filters;
  const days = { from, to: to === undefined ? undefined : dayAfter(to) };
  if (job !== undefined) {
    if (status === 'refused') return { entries: [], next: null };
    const page = await usage.listCalls(account, {
      ...{ endpoint, status, key, code, job, ...days },
      ...{ before, limit: pageSize },
    });
    return { entries: page.rows.map((call) => ({ kind: 'call', call })), next: page.next };
  }
  const start = positionFrom(before);
  const query = { endpoint, key, code, ...days, before: start, limit: pageSize + 1 };
  const [calls, refused, jobs] = await Promise.all([
    status === 'refused'
      ? { rows: [], position: null }
      : usage.listCallsByTime(account, { ...query, status, single: code === undefined }),
    status === 'ok' ? [] : refusedCalls.list(account, query),
    jobsOf(sources, account, filters, start),
  ]);
  const all: RequestEntry[] = [
    ...calls.rows.map((call) => ({ kind: 'call', call }) as const),
    ...refused.map((call) => ({ kind: 'refused', call }) as const),
    ...jobs,
  ];
  const { position } = calls;
  // Calls were examined up to a position; after it, entries may be missing.
  const visible = position === null ? all : all.filter((entry) => isBefore(positionOf(entry), position));
  const sorted = visible.toSorted((a, b) => (isBefore(positionOf(a), positionOf(b)) ? -1 : 1));
  const entries = sorted.slice(0, pageSize);
  const last = entries.at(-1);
  const isMore = sorted.length > pageSize && last !== undefined;
  const next = isMore ? positionOf(last) : position;
  return { entries, next: next === null ? null : `${next.at}-${next.id}` };
}

/** Presents a refused call as a ledger row without cost. */
export function asRow({ account, code, ...call }: RefusedCall): UsageRow {
  return {
    ...call,
    ...{ status: 'failed', error_code: code, credits_charged: 0, credits_refunded: 0 },
    ...{ cached: false, job_id: null },
  };
}
