import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Registry } from 'prom-client';
import { addMonitoringMetrics } from '../../../src/faces/server/monitoring-metrics.js';
import type { Monitoring } from '../../../src/service/monitoring/monitoring.js';

/** What an operator looks at: five jobs, and sixty seconds of a platform's rest. */
const monitoring = {
  queue: async () => ({ jobs: 5, inputs: 9, oldestSeconds: 30 }),
  coolDowns: async () => [{ platform: 'maps', secondsLeft: 60, refusals: 1 }],
  mails: () => ({ sent: 3, failed: 1, lastFailed: [] }),
  failedWebhooks: async () => ({ total: 2, newest: [] }),
  openOrders: async () => ({ total: 1, newest: [] }),
  files: async () => [{ name: 'ledger.db', bytes: 4096 }],
  connections: () => null,
} as unknown as Monitoring;

const lines = [
  'extract_queue_jobs 5',
  'extract_cooldown_seconds{platform="maps"} 60',
  'extract_mails{outcome="sent"} 3',
  'extract_data_bytes{file="ledger.db"} 4096',
];

test('concurrent collections each get every number', async () => {
  for (let turns = 0; turns < 40; turns += 1) {
    const registry = new Registry();
    addMonitoringMetrics(registry, monitoring, 0);
    const first = registry.metrics();
    for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
    const second = registry.metrics();
    for (const text of [await first, await second]) {
      for (const line of lines) assert.ok(text.includes(`${line}\n`), `${turns}: ${line} in ${text}`);
    }
  }
});
