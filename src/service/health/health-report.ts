import type { Endpoint } from '../../../lib/endpoint.js';
import type { OutcomeCounts } from './call-outcome.js';
import { type DayState, dayStates } from './day-states.js';
import type { FallenField } from './endpoint-state.js';
import type { HealthNow, SeenError } from './health-store.js';
import type { RouteCalls } from './route-calls.js';
import { watchedFields } from './watched-fields.js';

interface FieldShare {
  readonly field: string;
  /** 0 to 1; null if there are too few answers. */
  readonly usual: number | null;
}

/** The health of an endpoint, without anything about accounts or queries. */
export interface EndpointReport
  extends Pick<HealthNow, 'endpoint' | 'state' | 'since' | 'reasons' | 'canary'> {
  /** Share of the last hour's calls per outcome, 0 to 1; null without calls. */
  readonly lastHour: OutcomeCounts | null;
  readonly fallen: readonly FallenField[];
  readonly fields: readonly FieldShare[];
}

/** The health of the endpoints, for every page that shows it. Answers from memory. */
export interface HealthReports {
  /** In table order. */
  reports(): readonly EndpointReport[];
  report(endpoint: Endpoint): EndpointReport;
  /** The results of its routes in this server's calls, by name, as far as they were queried. */
  routeCalls(endpoint: Endpoint): ReadonlyMap<string, RouteCalls>;
  days(endpoint: Endpoint): readonly DayState[];
  /** The last failures, newest first. Only for the operator, because messages may name a query. */
  errors(endpoint: Endpoint): readonly SeenError[];
  /** A sentence to append to errors of the platform; null if the endpoint is ok or its state unknown. */
  note(endpoint: Endpoint): string | null;
}

/** The reports of a server that does not watch its endpoints. */
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
