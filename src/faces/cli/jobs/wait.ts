import { ExtractError } from '../../../../lib/errors/extract-error.js';
import type { ApiClient } from '../../../../lib/remote/api-client.js';
import type { ApiResponse } from '../../../../lib/remote/call-api.js';
import { type Clock, systemClock } from '../../../../lib/runtime/clock.js';
import type { Job } from '../../../service/jobs/job.js';
import type { Context } from '../context.js';
import { jobPath } from './job-api.js';

const minPauseMs = 250;
const maxPauseMs = 5000;
/** Maximum consecutive failures; a restarting server is unreachable for a while. */
const maxFailures = 30;

const eraseLine = '\r\u001b[K';

const isFinished = ({ status }: Job) => status === 'done' || status === 'cancelled';

/** Waits for a job to finish, showing its progress on a terminal. Returns the last response. */
export async function waitForJob(
  { stderr, signal, settings }: Context,
  client: ApiClient,
  id: string,
  showProgress: boolean,
  clock: Clock = systemClock,
): Promise<ApiResponse> {
  const showsCount = showProgress && settings.movesCursor;
  let failures = 0;
  for (let pause = minPauseMs; ; pause = Math.min(pause * 1.5, maxPauseMs)) {
    try {
      const response = await client.get(jobPath(id), {}, signal);
      failures = 0;
      const job = response.data as Job;
      const endedCount = job.completed + job.failed;
      if (showsCount)
        await stderr.write(`${eraseLine}${endedCount} of ${job.total} inputs, ${job.failed} failed`);
      if (isFinished(job)) {
        if (showsCount) await stderr.write(eraseLine);
        return response;
      }
    } catch (error) {
      failures += 1;
      if (
        !(error instanceof ExtractError) ||
        error.code !== 'platform_unavailable' ||
        failures > maxFailures
      ) {
        throw error;
      }
    }
    await clock.sleep(pause, signal);
  }
}
