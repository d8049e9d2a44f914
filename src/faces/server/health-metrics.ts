import { Counter, Gauge, type Registry } from 'prom-client';
import type { Endpoint } from '../../../lib/endpoint.js';
import type { Attempt } from '../../../lib/web/page-source.js';
import type { CanaryResult } from '../../service/health/canary.js';
import { states } from '../../service/health/endpoint-state.js';
import type { HealthReports } from '../../service/health/health-report.js';

interface HealthCounts {
  canary(endpoint: Endpoint, result: CanaryResult): void;
  attempt(endpoint: Endpoint, attempt: Attempt): void;
}

/** Adds the health of the endpoints and their routes to the server's metrics. */
export function addHealthMetrics(registry: Registry, health: HealthReports): HealthCounts {
  const registers = [registry];
  new Gauge({
    name: 'extract_endpoint_state',
    help: '1 for the current state of an endpoint: ok, degraded, unreachable, refused, changed or unknown; otherwise 0.',
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
    help: '1 for a field that is missing significantly more often than usual.',
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
    help: 'Canaries by outcome: ok, incomplete, not_found, refused, changed, unreachable or failed.',
    labelNames: ['endpoint', 'outcome'],
    registers,
  });
  const seconds = new Gauge({
    name: 'extract_canary_seconds',
    help: 'Duration of the last canary of an endpoint.',
    labelNames: ['endpoint'],
    registers,
  });
  const routeCanaries = new Counter({
    name: 'extract_route_canaries_total',
    help: 'Canaries by route and outcome: as extract_canaries_total, or unasked.',
    labelNames: ['endpoint', 'route', 'outcome'],
    registers,
  });
  const attempts = new Counter({
    name: 'extract_route_attempts_total',
    help: 'Attempts of calls at a route by outcome: answered, or the error code.',
    labelNames: ['endpoint', 'route', 'outcome'],
    registers,
  });
  return {
    canary({ path: endpoint }, { outcome, routes = [], ...result }) {
      canaries.inc({ endpoint, outcome });
      seconds.set({ endpoint }, result.seconds);
      for (const one of routes) routeCanaries.inc({ endpoint, route: one.route, outcome: one.outcome });
    },
    attempt({ path: endpoint }, { route, outcome }) {
      attempts.inc({ endpoint, route, outcome });
    },
  };
}
