import type { Endpoint } from '../../../../lib/endpoint.js';
import type { Clock } from '../../../../lib/runtime/clock.js';
import type { HealthReports } from '../../../service/health/health-report.js';
import { routeStates } from './route-states.js';

const share = (value: number) => Math.round(value * 1000) / 1000;
const time = (at: number) => new Date(at).toISOString();

/** Returns `/status.json`: the health of every endpoint, now and in the last 90 days, without accounts and queries. */
export function statusObject(health: HealthReports, endpoints: readonly Endpoint[], clock: Clock): object {
  const rows = endpoints.map((endpoint) => {
    const { state, since, reasons, canary, lastHour, fallen, fields } = health.report(endpoint);
    return {
      endpoint: endpoint.path,
      state,
      since: since === 0 ? null : time(since),
      reasons,
      last_hour:
        lastHour === null
          ? null
          : Object.fromEntries(Object.entries(lastHour).map(([outcome, part]) => [outcome, share(part)])),
      canary:
        canary === null
          ? null
          : {
              at: time(canary.at),
              outcome: canary.outcome,
              code: canary.code,
              filled: canary.filled,
              fields: canary.fields,
              seconds: canary.seconds,
            },
      routes: routeStates(endpoint, health).map(({ route, last_seen, from, calls, canary: last }) => ({
        route,
        last_seen,
        from,
        last_answer: calls?.answeredAt == null ? null : time(calls.answeredAt),
        last_failure:
          calls?.failure == null ? null : { at: time(calls.failure.at), code: calls.failure.code },
        canary: last === null ? null : { outcome: last.outcome, code: last.code, seconds: last.seconds },
      })),
      missing_fields: fallen.map((one) => ({
        field: one.field,
        usual_share: share(one.usual),
        share: share(one.share),
      })),
      fields: fields.map(({ field, usual }) => ({
        field,
        usual_share: usual === null ? null : share(usual),
      })),
      days: health
        .days(endpoint)
        .map(({ day, state: was, ok }) => ({ day, state: was, ok_share: ok === null ? null : share(ok) })),
    };
  });
  return { data: { at: time(clock.now()), endpoints: rows } };
}
