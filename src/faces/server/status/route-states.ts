import type { Endpoint } from '../../../../lib/endpoint.js';
import type { RouteResult } from '../../../service/health/canary.js';
import type { HealthReports } from '../../../service/health/health-report.js';
import type { RouteCalls } from '../../../service/health/route-calls.js';

export interface RouteState {
  readonly route: string;
  readonly last_seen: string | null;
  readonly from: readonly string[];
  /** Null if no call has used it. */
  readonly calls: RouteCalls | null;
  /** Its result for the last canary; null if it was not used. */
  readonly canary: RouteResult | null;
}

/** Returns the routes of an endpoint in order, with the browser if one was used. */
export function routeStates(endpoint: Endpoint, health: HealthReports): readonly RouteState[] {
  const calls = health.routeCalls(endpoint);
  const canaryRoutes = health.report(endpoint).canary?.routes ?? [];
  const names = new Set([
    ...endpoint.routes.map(({ name }) => name),
    ...[...calls.keys(), ...canaryRoutes.map(({ route }) => route)],
  ]);
  return [...names].map((route) => {
    const sighting = endpoint.routes.find(({ name }) => name === route)?.seen;
    return {
      ...{ route, last_seen: sighting?.month ?? null, from: sighting?.from ?? [] },
      calls: calls.get(route) ?? null,
      canary: canaryRoutes.find((one) => one.route === route) ?? null,
    };
  });
}
