import { catalogue, isErrorCode } from '../../../../lib/errors/extract-error.js';
import type { UsageRow } from '../../../../lib/ledger/usage-row.js';
import { integerText } from '../../../output/number-text.js';
import { Badge } from '../../../output/site/status.js';
import { durationOf, Time, takenText } from '../../../output/site/time.js';
import type { Job } from '../../../service/jobs/job.js';
import { costOf } from '../jobs/job-cost.js';
import { asRow, type RequestEntry } from '../request-log.js';
import { JobBadge } from './job.js';
import { Name } from './name.js';
import { Table } from './table.js';

/** The outcome of a call, with its HTTP status; errors link to their explanation. */
export function Outcome({ call }: { call: UsageRow }) {
  if (call.status === 'ok') return <Badge tone="good">{call.cached ? '200 OK, cached' : '200 OK'}</Badge>;
  const { error_code: code } = call;
  if (code === null) return <Badge tone="plain">cancelled</Badge>;
  const status = isErrorCode(code) ? `${catalogue[code].status} ` : '';
  return (
    <a href={`/docs/errors/${code}`}>
      <Badge tone="bad">
        {status}
        {code}
      </Badge>
    </a>
  );
}

/** A row of the table: a call, or all calls of a job. */
type Row = { readonly call: UsageRow; readonly job?: undefined } | { readonly job: Job };

const createdAt = (row: Row) => (row.job ?? row.call).created_at;

function Subject({ row }: { row: Row }) {
  const { job } = row;
  const { id, endpoint } = job ?? row.call;
  const address =
    job === undefined ? `/dashboard/requests/${encodeURIComponent(id)}` : `/dashboard/jobs/${id}`;
  return (
    <a href={address}>
      {endpoint}
      <span className="unseen">, {job === undefined ? `request ${id}` : `job ${job.name ?? id}`}</span>
    </a>
  );
}

function Result({ row }: { row: Row }) {
  if (row.job === undefined) return <Outcome call={row.call} />;
  const { total, id } = row.job;
  return (
    <>
      <JobBadge of={row.job} />{' '}
      <span>
        <a href={`/dashboard/requests?job=${id}`}>
          {integerText(total)} {total === 1 ? 'input' : 'inputs'}
        </a>
      </span>
    </>
  );
}

function Source({ row }: { row: Row }) {
  if (row.job !== undefined) return row.job.name === undefined ? 'a batch job' : <Name of={row.job.name} />;
  const { api_key: key, job_id: job } = row.call;
  if (job !== null) return 'a batch job';
  return key === null ? 'no key' : <Name of={key.name} />;
}

/** Formats the duration of a call, or of a job from its creation to its end. */
function duration(row: Row): string {
  if (row.job === undefined) return durationOf(row.call);
  const { created_at, finished_at } = row.job;
  const took = finished_at === null ? null : Date.parse(finished_at) - Date.parse(created_at);
  return takenText(took);
}

function RowsTable({ caption, rows }: { caption: string; rows: readonly Row[] }) {
  return (
    <Table
      caption={caption}
      kind="calls"
      rows={rows}
      keyOf={(row) => (row.job ?? row.call).id}
      columns={[
        { title: 'Endpoint', heads: true, cell: (row) => <Subject row={row} /> },
        { title: 'Result', cell: (row) => <Result row={row} /> },
        { title: 'Time', cell: (row) => <Time at={createdAt(row)} /> },
        { title: 'Took', numeric: true, cell: duration },
        { title: 'From', minor: true, cell: (row) => <Source row={row} /> },
        {
          title: 'Charged',
          numeric: true,
          cell: (row) => integerText(row.job === undefined ? row.call.credits_charged : costOf(row.job)),
        },
        {
          title: 'Refunded',
          numeric: true,
          minor: true,
          cell: (row) => integerText((row.job ?? row.call).credits_refunded),
        },
      ]}
    />
  );
}

export function CallsTable({ caption, calls }: { caption: string; calls: readonly UsageRow[] }) {
  return <RowsTable caption={caption} rows={calls.map((call) => ({ call }))} />;
}

/** Like `CallsTable`, with one row per job. */
export function RequestsTable({ caption, entries }: { caption: string; entries: readonly RequestEntry[] }) {
  const rows = entries.map((entry): Row => {
    if (entry.kind === 'job') return { job: entry.job };
    return { call: entry.kind === 'refused' ? asRow(entry.call) : entry.call };
  });
  return <RowsTable caption={caption} rows={rows} />;
}
