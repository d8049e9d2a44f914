import { Counter, Gauge, type Registry } from 'prom-client';
import type { Endpoint } from '../../../lib/endpoint.js';
import type { CanaryResult } from '../../service/health/canary.js';
import { states } from '../../service/health/endpoint-state.js';
import type { HealthReports } from '../../service/health/health-report.js';

/** Adds how the endpoints are doing to the numbers of the server. Gives the function that counts a canary. */
export function addHealthMetrics(
  registry: Registry,
  health: HealthReports,
): (endpoint: Endpoint, result: CanaryResult) => void {
  const registers = [registry];
  new Gauge({
    name: 'extract_endpoint_state',
    help: '1 for the state that an endpoint is in: ok, degraded, unreachable, refused, changed or unknown; else 0.',
    labelNames: ['endpoint', 'state'],
    registers,
    collect() {
      for (const { endpoint, state } of health.reports()) {
        for (const one of states) this.set({ endpoint, state: one }, one === state ? 1 : 0);
      }
    },
  });
  new Gauge({
    name: 'extract_field_missing',
    help: '1 for a field that fewer answers hold than usual, by more than chance.',
    labelNames: ['endpoint', 'field'],
    registers,
    collect() {
      this.reset();
      for (const { endpoint, fallen } of health.reports()) {
        for (const { field } of fallen) this.set({ endpoint, field }, 1);
      }
    },
  });
  const canaries = new Counter({
    name: 'extract_canaries_total',
    help: 'Canaries by how they ended: ok, incomplete, not_found, refused, changed, unreachable or failed.',
    labelNames: ['endpoint', 'outcome'],
    registers,
  });
  const seconds = new Gauge({
    name: 'extract_canary_seconds',
    help: 'Time that the last canary of an endpoint took.',
    labelNames: ['endpoint'],
    registers,
  });
  return ({ path: endpoint }, result) => {
    canaries.inc({ endpoint, outcome: result.outcome });
    seconds.set({ endpoint }, result.seconds);
  };
}
