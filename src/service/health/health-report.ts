import type { Endpoint } from '../../../lib/endpoint.js';
import type { OutcomeCounts } from './call-outcome.js';
import { type DayState, dayStates } from './day-states.js';
import type { FallenField } from './endpoint-state.js';
import type { HealthNow, SeenError } from './health-store.js';
import type { RouteCalls } from './route-calls.js';
import { watchedFields } from './watched-fields.js';

/** A watched field and the share of answers that usually hold it. */
interface FieldShare {
  readonly field: string;
  /** 0 to 1. Null if there are too few answers to tell. */
  readonly usual: number | null;
}

/** The health of an endpoint. It contains nothing about accounts or queries. */
export interface EndpointReport
  extends Pick<HealthNow, 'endpoint' | 'state' | 'since' | 'reasons' | 'canary'> {
  /** Share of the last hour's calls per outcome, 0 to 1. Null if there were no calls. */
  readonly lastHour: OutcomeCounts | null;
  readonly fallen: readonly FallenField[];
  readonly fields: readonly FieldShare[];
}

/**
 * The port to the health of the endpoints, for everything that displays it. Answers come from memory without waiting.
 */
export interface HealthReports {
  /** The health of every endpoint, in the order of the table. */
  reports(): readonly EndpointReport[];
  /** The health of one endpoint. */
  report(endpoint: Endpoint): EndpointReport;
  /** The results of its routes in this server's calls, by name. Only routes that were queried. */
  routeCalls(endpoint: Endpoint): ReadonlyMap<string, RouteCalls>;
  /** The last 90 days of an endpoint, oldest first. */
  days(endpoint: Endpoint): readonly DayState[];
  /** The last failures of an endpoint, newest first. For the operator only, as messages may name a query. */
  errors(endpoint: Endpoint): readonly SeenError[];
  /** A sentence to append to errors of the platform. Null while the endpoint is ok or its state unknown. */
  note(endpoint: Endpoint): string | null;
}

/** The reports of a server that does not watch its endpoints: every state is unknown. */
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
