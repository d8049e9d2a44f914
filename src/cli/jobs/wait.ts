import { ExtractError } from '../../../lib/errors/extract-error.js';
import type { ApiClient, ApiResponse } from '../../../lib/remote/api-client.js';
import { type Clock, systemClock } from '../../../lib/runtime/clock.js';
import type { Job } from '../../jobs/job.js';
import type { Context } from '../context.js';
import { jobPath } from './job-api.js';

const minPauseMs = 250;
const maxPauseMs = 5000;
/** Times in a row that a server may be away, as one that is started anew is. */
const maxFailures = 30;

const eraseLine = '\r\u001b[K';

const isFinished = ({ status }: Job) => status === 'done' || status === 'cancelled';

/** Waits until a job is over, telling how far it is to somebody who looks. Gives the last answer. */
export async function waitForJob(
  { stderr, signal }: Context,
  client: ApiClient,
  id: string,
  remarks: boolean,
  clock: Clock = systemClock,
): Promise<ApiResponse> {
  let away = 0;
  for (let pause = minPauseMs; ; pause = Math.min(pause * 1.5, maxPauseMs)) {
    try {
      const told = await client.get(jobPath(id), {}, signal);
      away = 0;
      const job = told.data as Job;
      const ended = job.completed + job.failed;
      if (remarks) await stderr.write(`${eraseLine}${ended} of ${job.total} inputs, ${job.failed} failed`);
      if (isFinished(job)) {
        if (remarks) await stderr.write(eraseLine);
        return told;
      }
    } catch (error) {
      away += 1;
      if (!(error instanceof ExtractError) || error.code !== 'platform_unavailable' || away > maxFailures) {
        throw error;
      }
    }
    await clock.sleep(pause, signal);
  }
}
