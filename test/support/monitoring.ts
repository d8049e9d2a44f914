import type { Clock } from '../../lib/runtime/clock.js';
import type { OpenStore } from '../../src/compose/stores.js';
import type { Metrics } from '../../src/faces/server/metrics.js';
import { addMonitoringMetrics } from '../../src/faces/server/monitoring-metrics.js';
import type { Jobs } from '../../src/service/jobs/open-jobs.js';
import { type Monitoring, openMonitoring } from '../../src/service/monitoring/monitoring.js';
import { WatchedMailer } from '../../src/service/monitoring/watched-mailer.js';
import type { MemoryMailer } from './memory-mailer.js';

/** The monitoring of a test server, and the mailer that it watches. */
export function testMonitoring({
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
}): { readonly monitoring: Monitoring; readonly watched: WatchedMailer } {
  const watched = new WatchedMailer(mailer, clock);
  const { pace, purchases } = store;
  const monitoring = openMonitoring({
    ...{ home, clock, recent: metrics.recent, mailer: watched, pace, purchases },
    connections: () => store.connections(),
    ...{
      jobs: jobs.store,
      webhooks: jobs.webhooks,
      storage: jobs.storage,
      loop: { worst: () => ({ p99: 3, max: 20 }) },
    },
  });
  addMonitoringMetrics(metrics.registry, monitoring, 0);
  return { monitoring, watched };
}
