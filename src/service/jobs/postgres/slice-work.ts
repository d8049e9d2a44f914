import type { JobWork } from '../job-work.js';
import { resultsDay } from '../results-day.js';
import type { Engine } from './engine.js';
import type { ResultsDays } from './results-days.js';
import { sendCancelled, sendSlices } from './slices.js';

/** Queues jobs as slices, which the engine distributes to nodes. */
export function sliceWork(engine: Engine, days: ResultsDays): JobWork {
  return {
    async ready(createdAt) {
      await engine.ready();
      await days.ensure(resultsDay(createdAt));
    },
    async queue(queries, job) {
      // A schedule's run is created without waiting for its day.
      await days.ensureWithin(queries, resultsDay(job.created_at));
      await sendSlices(engine, queries, job);
    },
    queueCancelled: (queries, job) => sendCancelled(engine, queries, job),
  };
}
