import type { Endpoint } from '../../../../lib/endpoint.js';
import { brandOf } from '../../../../lib/platforms.js';
import { PlainPage } from '../../../output/site/document.js';
import { StateBadge } from '../../../output/site/state-badge.js';
import { Time } from '../../../output/site/time.js';
import { percent, type State } from '../../../service/health/endpoint-state.js';
import type { EndpointReport, HealthReports } from '../../../service/health/health-report.js';

import { DayBar, historyText } from './day-bar.js';
import { type RouteState, routeStates } from './route-states.js';

const meanings: Readonly<Record<State, string>> = {
  ok: 'calls return data, with the fields it usually has',
  degraded: 'calls return data that lacks something, or a tenth of them fail',
  unreachable: 'calls get no response: the platform, or this server’s network, DNS or proxy, is down',
  refused: 'the platform refuses this server',
  changed: 'the platform’s pages lack required data: the parser needs an update',
  unknown: 'too few recent calls to tell',
};

const minute = (at: number) => `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

function canaryText({ canary }: EndpointReport): string | null {
  if (canary === null) return null;
  const { outcome, code, filled, fields, seconds, at } = canary;
  const what = code === null ? `${outcome}, ${filled} of ${fields} fields filled` : code;
  return `canary at ${minute(at)}: ${what}, in ${seconds} s`;
}

function callsText({ lastHour }: EndpointReport): string {
  if (lastHour === null) return 'no calls in the last hour';
  return `last hour: ${percent(lastHour.answered + lastHour.not_found)} of the calls answered`;
}

const lastSeenText = ({ last_seen, from }: RouteState) =>
  [...(last_seen === null ? [] : [last_seen]), ...from].join(', ');

function callText({ calls }: RouteState): string {
  if (calls === null) return 'not asked';
  const { answeredAt, failure } = calls;
  if (failure !== null) return `${failure.code}, ${minute(failure.at)}`;
  return answeredAt === null ? 'not asked' : `answered, ${minute(answeredAt)}`;
}

function routeCanaryText({ canary }: RouteState): string {
  if (canary === null || canary.outcome === 'unasked') return 'not asked';
  return canary.code ?? `${canary.outcome}, ${canary.filled} of ${canary.fields} fields`;
}

function Routes({ states }: { readonly states: readonly RouteState[] }) {
  return (
    <details>
      <summary>Routes</summary>
      <div className="table">
        <table>
          <thead>
            <tr>
              <th scope="col">Route</th>
              <th scope="col">Last call here</th>
              <th scope="col">Last canary here</th>
              <th scope="col">Last seen elsewhere</th>
            </tr>
          </thead>
          <tbody>
            {states.map((state) => (
              <tr key={state.route}>
                <th scope="row">{state.route}</th>
                <td>{callText(state)}</td>
                <td>{routeCanaryText(state)}</td>
                <td>{lastSeenText(state)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}

function EndpointStatus({
  endpoint,
  health,
}: {
  readonly endpoint: Endpoint;
  readonly health: HealthReports;
}) {
  const report = health.report(endpoint);
  const days = health.days(endpoint);
  const { state, since, reasons } = report;
  const remarks = [
    state === 'unknown' ? null : `since ${minute(since)}`,
    days.some(({ ok }) => ok !== null) ? historyText(days) : null,
    callsText(report),
    canaryText(report),
  ];
  return (
    <li className="endpoint">
      <div className="head">
        <h3>
          <a href={`/docs/endpoints/${endpoint.path}`}>{endpoint.path}</a>
        </h3>
        <StateBadge state={state} />
      </div>
      {reasons.map((reason) => (
        <p key={reason}>{reason}</p>
      ))}
      <DayBar days={days} />
      <p className="remark">{remarks.filter((one) => one !== null).join(' · ')}</p>
      {endpoint.routes.length > 0 && <Routes states={routeStates(endpoint, health)} />}
    </li>
  );
}

function headline(reports: readonly EndpointReport[]): string {
  const bad = reports.filter(({ state }) => state !== 'ok' && state !== 'unknown').length;
  const unknown = reports.filter(({ state }) => state === 'unknown').length;
  if (bad > 0) return `${bad} of ${reports.length} endpoints ${bad === 1 ? 'is' : 'are'} not OK.`;
  if (unknown === reports.length) return 'There were too few recent calls to know the state.';
  if (unknown > 0) {
    const ok = reports.length - unknown;
    return `${ok} ${ok === 1 ? 'endpoint is' : 'endpoints are'} OK; no data yet for ${unknown}.`;
  }
  return 'All endpoints are OK.';
}

export function StatusPage({
  endpoints,
  health,
  now,
}: {
  readonly endpoints: readonly Endpoint[];
  readonly health: HealthReports;
  readonly now: number;
}) {
  const reports = endpoints.map((endpoint) => health.report(endpoint));
  const platforms = [...new Set(endpoints.map(({ platform }) => platform))];
  return (
    <PlainPage title="Status" description="How every endpoint is doing, and how it did in the last 90 days.">
      <p className="headline">{headline(reports)}</p>
      <p className="remark">
        As of <Time at={new Date(now).toISOString()} />. For programs: <a href="/status.json">/status.json</a>
        .
      </p>
      {platforms.map((platform) => (
        <section key={platform}>
          <h2>{brandOf(platform)}</h2>
          <ul className="endpoints">
            {endpoints
              .filter((endpoint) => endpoint.platform === platform)
              .map((endpoint) => (
                <EndpointStatus key={endpoint.path} endpoint={endpoint} health={health} />
              ))}
          </ul>
        </section>
      ))}
      <h2>What the states mean</h2>
      <dl className="states">
        {Object.entries(meanings).map(([state, meaning]) => (
          <div key={state}>
            <dt>
              <StateBadge state={state as State} />
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <p className="remark">
        Based on test calls with known answers (if the operator runs them), calls of the last hour, and how
        often fields are filled. A bar shows the last 90 days, today at the right; the color of a day is its
        most serious state.
      </p>
    </PlainPage>
  );
}
