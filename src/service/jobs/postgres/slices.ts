import { createHash } from 'node:crypto';
import type { Queries } from '../../../../lib/database/queries.js';
import type { Platform } from '../../../../lib/platforms.js';
import type { JobAtWork } from '../job.js';
import type { SliceTask } from '../runner/tasks.js';
import type { Engine, NewTask } from './engine.js';
import { firstSlices, furtherSlices } from './engine-queues.js';

/** Inputs per task. */
export const sliceSize = 100;

export type SlicedJob = Pick<JobAtWork, 'id' | 'account' | 'endpoint' | 'total'>;

const platformOf = ({ endpoint }: Pick<SlicedJob, 'endpoint'>) => endpoint.split('/', 1)[0] as Platform;

/** Returns the same id for the same slice, so that sending it twice has no effect. */
function taskId({ job, first }: SliceTask): string {
  const hex = createHash('sha256').update(`${job}:${first}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

function taskOf(data: SliceTask, { account }: SlicedJob): NewTask {
  // An account's jobs progress side by side: a slice waits for earlier slices of any job.
  const priority = -Math.floor((data.first ?? 0) / sliceSize);
  return { id: taskId(data), data, group: account, priority };
}

/** Sends the slices with some inputs of a job in the caller's transaction. Idempotent. */
export async function sendSlices(
  engine: Engine,
  queries: Queries,
  job: SlicedJob,
  inputs: Iterable<number> = Array.from({ length: job.total }, (_, index) => index),
): Promise<void> {
  const platform = platformOf(job);
  const firsts = new Set<number>();
  for (const index of inputs) firsts.add(index - (index % sliceSize));
  const tasks = (some: readonly number[]) => some.map((first) => taskOf({ job: job.id, first }, job));
  if (firsts.delete(0)) await engine.send(queries, firstSlices(platform), tasks([0]));
  if (firsts.size > 0) await engine.send(queries, furtherSlices(platform), tasks([...firsts]));
}

export async function sendCancelled(engine: Engine, queries: Queries, job: SlicedJob): Promise<void> {
  await engine.send(queries, firstSlices(platformOf(job)), [taskOf({ job: job.id, first: null }, job)]);
}
