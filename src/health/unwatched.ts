import { dayStates } from './day-states.js';
import type { HealthReports } from './health-report.js';
import { optionalFields } from './optional-fields.js';

/** The reports of a server that watches nothing: nothing is known of any endpoint. */
export const unwatched: HealthReports = {
  reports: () => [],
  report: (endpoint) => ({
    ...{ endpoint: endpoint.path, state: 'unknown', since: 0, reasons: [], canary: null },
    ...{ lastHour: null, fallen: [] },
    fields: optionalFields(endpoint).map((field) => ({ field, usual: null })),
  }),
  days: () => dayStates([], 0),
  errors: () => [],
  note: () => null,
};
