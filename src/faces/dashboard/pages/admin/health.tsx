import { version } from '../../../../../lib/runtime/version.js';
import { duration } from '../../../../output/duration.js';
import { integerText } from '../../../../output/number-text.js';
import { ErrorLink } from '../../../../output/site/code.js';
import { StateBadge } from '../../../../output/site/state-badge.js';
import { Callout } from '../../../../output/site/status.js';
import { timeText } from '../../../../output/site/time.js';
import { isOut, percent, type State } from '../../../../service/health/endpoint-state.js';
import type { EndpointHealth } from '../../../../service/usage/endpoint-health.js';
import type { DiskSpace } from '../../../../service/usage/usage-queries.js';
import { AdminLayout } from '../../parts/admin-layout.js';
import { sizeText } from '../../parts/amounts.js';
import { Figures, Panel } from '../../parts/panel.js';
import { Table } from '../../parts/table.js';
import { DiskPanel, type MonitoringView, RecentPanel, TroublePanels } from './monitoring.js';

interface HealthProps {
  readonly monitoring: MonitoringView;
  /** ISO 8601 UTC. */
  readonly since: string;
  readonly upMs: number;
  readonly disk: DiskSpace;
  readonly accounts: number;
  readonly jobs: number;
  readonly endpoints: readonly EndpointHealth[];
  /** By endpoint path. */
  readonly states: ReadonlyMap<string, State>;
}

function ServerFigures({ since, upMs, disk, accounts, jobs, endpoints }: HealthProps) {
  const sum = (of: (one: EndpointHealth) => number) => endpoints.reduce((all, one) => all + of(one), 0);
  const [cached, fetched] = [sum(({ cache }) => cache), sum(({ fetch }) => fetch)];
  const share = cached + fetched === 0 ? 'None yet' : percent(cached / (cached + fetched));
  return (
    <Figures
      of={[
        { name: 'Up for', value: duration(upMs / 1000), note: `since ${timeText(since)}` },
        { name: 'Accounts', value: integerText(accounts) },
        { name: 'Unfinished jobs', value: integerText(jobs) },
        {
          name: 'Disk free',
          value: sizeText(disk.free),
          note: `of ${sizeText(disk.size)}; ledger ${sizeText(disk.ledger)}`,
        },
        { name: 'From the cache', value: share, note: `${sizeText(disk.cache)} on the disk` },
      ]}
    />
  );
}

function Alerts({ endpoints }: { endpoints: readonly EndpointHealth[] }) {
  const alerts = endpoints.flatMap(({ path, items, alerts }) =>
    alerts.map((alert) => ({ path, items, ...alert })),
  );
  if (alerts.length === 0) return null;
  return (
    <>
      <Callout kind="problem">
        Some fields are missing from nearly all objects although they usually have them: the platform has
        probably changed its pages.
      </Callout>
      <Panel title="Missing fields">
        <Table
          caption="Fields that are nearly always null"
          rows={alerts}
          keyOf={({ path, field }) => `${path} ${field}`}
          columns={[
            { title: 'Endpoint', heads: true, cell: ({ path }) => <code>{path}</code> },
            { title: 'Field', cell: ({ field }) => <code>{field}</code> },
            { title: 'Null in', numeric: true, cell: ({ share }) => percent(share) },
            { title: 'Of objects', numeric: true, cell: ({ items }) => integerText(items) },
          ]}
        />
      </Panel>
    </>
  );
}

function Refusals({ of: { refusals } }: { of: EndpointHealth }) {
  if (refusals.length === 0) return <span className="muted">none</span>;
  return (
    <ul className="refusals">
      {refusals.slice(0, 5).map(({ code, count }) => (
        <li key={code}>
          {integerText(count)} <ErrorLink code={code} />
        </li>
      ))}
    </ul>
  );
}

type EndpointsProps = Pick<HealthProps, 'endpoints' | 'states'>;

function EndpointTable({ endpoints, states }: EndpointsProps) {
  return (
    <Table
      caption="Calls and refusals of each endpoint"
      kind="sums"
      rows={endpoints}
      keyOf={({ path }) => path}
      columns={[
        {
          title: 'Endpoint',
          heads: true,
          cell: ({ path }) => (path === '' ? 'Other' : <code>{path}</code>),
        },
        {
          title: 'State',
          cell: ({ path }) => path !== '' && <StateBadge state={states.get(path) ?? 'unknown'} />,
        },
        { title: 'Fetched', numeric: true, cell: ({ fetch }) => integerText(fetch) },
        { title: 'From the cache', numeric: true, cell: ({ cache }) => integerText(cache) },
        { title: 'Demo', numeric: true, minor: true, cell: ({ demo }) => integerText(demo) },
        { title: 'Refusals', cell: (one) => <Refusals of={one} /> },
      ]}
    />
  );
}

/** The endpoints: those with trouble, worst first, and the others folded. */
function Endpoints({ endpoints, states }: EndpointsProps) {
  const rankOf = ({ path, refusals }: EndpointHealth) => {
    const state = states.get(path) ?? 'unknown';
    return isOut(state) ? 2 : state === 'degraded' || refusals.length > 0 ? 1 : 0;
  };
  const troubled = endpoints.filter((one) => rankOf(one) > 0).sort((a, b) => rankOf(b) - rankOf(a));
  const others = endpoints.filter((one) => rankOf(one) === 0);
  return (
    <Panel title="Endpoints" aside={<a href="/status">Status and history</a>}>
      {troubled.length === 0 ? (
        <p>No endpoint is failing.</p>
      ) : (
        <EndpointTable endpoints={troubled} states={states} />
      )}
      <details>
        <summary>{`${others.length} endpoints without refusals`}</summary>
        <EndpointTable endpoints={others} states={states} />
      </details>
    </Panel>
  );
}

export function HealthPage(props: HealthProps) {
  const { endpoints, states, monitoring } = props;
  return (
    <AdminLayout title="Health" lead={`Version ${version}. Endpoint counts start with the server.`}>
      <Alerts endpoints={endpoints} />
      <Endpoints endpoints={endpoints} states={states} />
      <TroublePanels monitoring={monitoring} />
      <RecentPanel monitoring={monitoring} />
      <ServerFigures {...props} />
      <DiskPanel monitoring={monitoring} />
    </AdminLayout>
  );
}
