import type { Endpoint } from '../../../lib/endpoint.js';
import type { OutcomeCounts } from './call-outcome.js';
import type { CanaryResult } from './canary.js';
import { type DayState, dayStates } from './day-states.js';
import type { FallenField, State } from './endpoint-state.js';
import type { SeenError } from './health-store.js';
import type { RouteCalls } from './route-calls.js';
import { watchedFields } from './watched-fields.js';

/** A field as it is watched, and the share of answers that usually hold it. */
interface FieldShare {
  readonly field: string;
  /** 0 to 1; null where too few answers are known. */
  readonly usual: number | null;
}

/** How an endpoint is doing: nothing in it is about an account or about what was asked. */
export interface EndpointReport {
  readonly endpoint: string;
  readonly state: State;
  /** Milliseconds since 1970. */
  readonly since: number;
  readonly reasons: readonly string[];
  readonly canary: CanaryResult | null;
  /** Shares of the calls of the last hour that ended in each way, 0 to 1. Null where there were none. */
  readonly lastHour: OutcomeCounts | null;
  readonly fallen: readonly FallenField[];
  readonly fields: readonly FieldShare[];
}

/** The port to how the endpoints are doing, for those who show it. Nothing waits: all of it is in memory. */
export interface HealthReports {
  /** How every endpoint of the table is doing, in its order. */
  reports(): readonly EndpointReport[];
  /** How one is doing. */
  report(endpoint: Endpoint): EndpointReport;
  /** How its routes did in the calls of this server, by their names: those that were asked. */
  routeCalls(endpoint: Endpoint): ReadonlyMap<string, RouteCalls>;
  /** The last 90 days of one, oldest first. */
  days(endpoint: Endpoint): readonly DayState[];
  /** The last failures of one, newest first: for the operator, as messages may name what was asked. */
  errors(endpoint: Endpoint): readonly SeenError[];
  /** A sentence for errors of the platform; null while the endpoint is ok or nothing is known. */
  note(endpoint: Endpoint): string | null;
}

/** The reports of a server that watches nothing: nothing is known of any endpoint. */
export const unwatched: HealthReports = {
  reports: () => [],
  report: (endpoint) => ({
    ...{ endpoint: endpoint.path, state: 'unknown', since: 0, reasons: [], canary: null },
    ...{ lastHour: null, fallen: [] },
    fields: watchedFields(endpoint).map(({ name }) => ({ field: name, usual: null })),
  }),
  routeCalls: () => new Map(),
  days: () => dayStates([], 0),
  errors: () => [],
  note: () => null,
};
