import type { UsageRow } from '../../../lib/ledger/ledger.js';
import { grouped } from './amounts.js';
import { EndpointName } from './endpoint-name.js';
import { Badge } from './status.js';
import { Table } from './table.js';
import { Time } from './time.js';

/** How a call ended; what went wrong leads to its explanation. */
export function Outcome({ call }: { call: UsageRow }) {
  if (call.status === 'ok') return <Badge tone="good">{call.cached ? 'ok, cached' : 'ok'}</Badge>;
  if (call.error_code === null) return <Badge tone="plain">cancelled</Badge>;
  return (
    <a href={`/docs/errors/${call.error_code}`}>
      <Badge tone="bad">{call.error_code}</Badge>
    </a>
  );
}

/** Calls of an account, a row each, newest first. */
export function CallsTable({ caption, calls }: { caption: string; calls: readonly UsageRow[] }) {
  return (
    <Table
      caption={caption}
      kind="calls"
      rows={calls}
      keyOf={({ id }) => id}
      columns={[
        {
          title: 'Endpoint',
          heads: true,
          cell: ({ id, endpoint }) => (
            <a href={`/dashboard/requests/${encodeURIComponent(id)}`}>
              <EndpointName path={endpoint} />
              <span className="unseen">, request {id}</span>
            </a>
          ),
        },
        { title: 'Result', cell: (call) => <Outcome call={call} /> },
        { title: 'Time', cell: ({ created_at }) => <Time at={created_at} /> },
        {
          title: 'From',
          cell: ({ api_key, job_id }) => (job_id === null ? (api_key?.name ?? 'no key') : 'a batch job'),
        },
        { title: 'Charged', numeric: true, cell: ({ credits_charged }) => grouped(credits_charged) },
        { title: 'Refunded', numeric: true, cell: ({ credits_refunded }) => grouped(credits_refunded) },
      ]}
    />
  );
}
