import type { Clock } from '../../lib/runtime/clock.js';
import type { OpenStore } from '../../src/compose/stores.js';
import type { Metrics } from '../../src/faces/server/metrics.js';
import { addOperationMetrics } from '../../src/faces/server/operation-metrics.js';
import type { Jobs } from '../../src/service/jobs/open-jobs.js';
import { type Operation, openOperation } from '../../src/service/monitoring/operation.js';
import { WatchedMailer } from '../../src/service/monitoring/watched-mailer.js';
import type { MemoryMailer } from './memory-mailer.js';

/** What the operator of a test's server looks at, and the mailer that it watches. */
export function testOperation({
  store,
  jobs,
  metrics,
  mailer,
  clock,
  home,
}: {
  store: OpenStore;
  jobs: Jobs;
  metrics: Metrics;
  mailer: MemoryMailer;
  clock: Clock;
  home: string;
}): { readonly operation: Operation; readonly watched: WatchedMailer } {
  const watched = new WatchedMailer(mailer, clock);
  const { pace, purchases } = store;
  const operation = openOperation({
    ...{ home, clock, recent: metrics.recent, mailer: watched, pace, purchases },
    connections: () => store.connections(),
    ...{
      jobs: jobs.store,
      webhooks: jobs.webhooks,
      storage: jobs.storage,
      loop: { worst: () => ({ p99: 3, max: 20 }) },
    },
  });
  addOperationMetrics(metrics.registry, operation, 0);
  return { operation, watched };
}
