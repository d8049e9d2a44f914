import type { ComponentProps, ReactNode } from 'react';
import { integerText } from '../../../../output/number-text.js';
import { ErrorLink } from '../../../../output/site/code.js';
import { durationText, Time } from '../../../../output/site/time.js';
import type { Purchase } from '../../../../service/accounts/packs/payments.js';
import type { StoredBytes } from '../../../../service/jobs/account-storage.js';
import type { FailedDelivery } from '../../../../service/jobs/webhooks/webhooks.js';
import type { DataFile } from '../../../../service/monitoring/data-files.js';
import type { LoopDelays } from '../../../../service/monitoring/event-loop-delay.js';
import type { CoolingPlatform, JobQueue, NewestOf } from '../../../../service/monitoring/monitoring.js';
import type { RecentCallSums } from '../../../../service/monitoring/recent-minutes.js';
import type { MailCounts } from '../../../../service/monitoring/watched-mailer.js';
import { priceText, sizeText } from '../../parts/amounts.js';
import { Moment } from '../../parts/moment.js';
import { Name } from '../../parts/name.js';
import { Figures, Panel } from '../../parts/panel.js';
import { Table } from '../../parts/table.js';

export interface MonitoringView {
  readonly calls: RecentCallSums;
  readonly loop: LoopDelays | null;
  readonly mails: MailCounts;
  /** Null if unknown. */
  readonly coolDowns: readonly CoolingPlatform[] | null;
  readonly queue: JobQueue;
  readonly webhooks: NewestOf<FailedDelivery>;
  readonly orders: NewestOf<Purchase>;
  readonly storage: readonly StoredBytes[];
  readonly files: readonly DataFile[];
}

type Props = { readonly monitoring: MonitoringView };

const ms = (value: number) => durationText(Math.max(1, value));
const aside = ({ total, newest }: NewestOf<unknown>) =>
  newest.length < total ? `The newest ${newest.length} of ${integerText(total)}` : undefined;

function RecentFigures({ monitoring: { calls, loop, queue, coolDowns } }: Props) {
  const { answered, failed, latency } = calls;
  const age = queue.jobs === 0 ? '' : `, the oldest ${durationText(queue.oldestSeconds * 1000)} old`;
  return (
    <Figures
      of={[
        { name: 'Answered', value: integerText(answered) },
        { name: 'Failed', value: integerText(failed) },
        {
          name: 'Median latency',
          value: latency === null ? 'None yet' : ms(latency.p50),
          note: latency === null ? undefined : `95%: ${ms(latency.p95)}, 99%: ${ms(latency.p99)}`,
        },
        {
          name: 'Job queue',
          value: integerText(queue.inputs),
          note: `${queue.inputs === 1 ? 'input' : 'inputs'} of ${integerText(queue.jobs)} ${queue.jobs === 1 ? 'job' : 'jobs'}${age}`,
        },
        {
          name: 'Event loop delay',
          value: loop === null ? 'None yet' : ms(loop.p99),
          note: loop === null ? undefined : `99th percentile of the worst minute; at most ${ms(loop.max)}`,
        },
        {
          name: 'Cool-downs',
          value:
            coolDowns === null
              ? 'Not known'
              : coolDowns.length === 0
                ? 'None'
                : integerText(coolDowns.length),
          note: coolDowns
            ?.map(({ platform, secondsLeft }) => `${platform}: ${durationText(secondsLeft * 1000)} left`)
            .join(', '),
        },
      ]}
    />
  );
}

export function RecentPanel({ monitoring }: Props) {
  const { codes } = monitoring.calls;
  return (
    <Panel title="Last 15 minutes">
      <RecentFigures monitoring={monitoring} />
      {codes.length === 0 ? null : (
        <Table
          caption="Failures of the last 15 minutes by code"
          rows={codes}
          keyOf={({ code }) => code}
          columns={[
            { title: 'Error', heads: true, cell: ({ code }) => <ErrorLink code={code} /> },
            { title: 'Calls', numeric: true, cell: ({ count }) => integerText(count) },
          ]}
        />
      )}
    </Panel>
  );
}

interface ListPanelProps<Row> extends ComponentProps<typeof Table<Row>> {
  readonly title: string;
  readonly aside?: ReactNode;
}

/** A panel with one table; nothing for an empty one. */
function ListPanel<Row>({ title, aside, ...table }: ListPanelProps<Row>) {
  if (table.rows.length === 0) return null;
  return (
    <Panel title={title} aside={aside}>
      <Table {...table} />
    </Panel>
  );
}

const accountLink = ({ account, text = account }: { readonly account: string; readonly text?: string }) => (
  <a href={`/admin/accounts/${account}`}>{text}</a>
);

/** The panels for what failed, and for unpaid orders. */
export function TroublePanels({ monitoring: { mails, webhooks, orders } }: Props) {
  return (
    <>
      <ListPanel
        title="Failed e-mails"
        aside={`${integerText(mails.sent)} sent, ${integerText(mails.failed)} failed since the start`}
        caption="E-mails that could not be sent, newest first"
        rows={mails.lastFailed}
        keyOf={({ at, to, subject }) => `${at} ${to} ${subject}`}
        columns={[
          { title: 'To', heads: true, cell: ({ to }) => <Name of={to} /> },
          { title: 'Subject', cell: ({ subject }) => subject },
          { title: 'Time', cell: ({ at }) => <Time at={at} /> },
          { title: 'Error', cell: ({ error }) => <span className="prose">{error}</span> },
        ]}
      />
      <ListPanel
        title="Failed webhooks"
        aside={aside(webhooks)}
        caption="Webhooks that failed permanently, newest first"
        rows={webhooks.newest}
        keyOf={({ job }) => job}
        columns={[
          { title: 'Receiver', heads: true, cell: ({ host }) => <code>{host}</code> },
          { title: 'Account', cell: accountLink },
          { title: 'Last attempt', cell: ({ at }) => <Moment at={at} /> },
          { title: 'Error', cell: ({ error }) => <span className="prose">{error ?? '–'}</span> },
        ]}
      />
      <ListPanel
        title="Open orders"
        aside={aside(orders)}
        caption="Unpaid orders, newest first"
        rows={orders.newest}
        keyOf={({ id }) => id}
        columns={[
          { title: 'Order', heads: true, cell: ({ id, account }) => accountLink({ account, text: id }) },
          { title: 'Created', cell: ({ created_at }) => <Time at={created_at} /> },
          { title: 'Price', numeric: true, cell: priceText },
          { title: 'Credits', numeric: true, cell: ({ credits }) => integerText(credits) },
        ]}
      />
    </>
  );
}

/** The files of the data directory, and the accounts that have stored most; folded. */
export function DiskPanel({ monitoring: { storage, files } }: Props) {
  const all = files.reduce((sum, { bytes }) => sum + bytes, 0);
  return (
    <Panel title="Data directory" aside={sizeText(all)}>
      <details>
        <summary>Files, largest first</summary>
        <Table
          caption="Files in the data directory, largest first"
          rows={files}
          keyOf={({ name }) => name}
          columns={[
            { title: 'File', heads: true, cell: ({ name }) => <code>{name}</code> },
            { title: 'Files', numeric: true, cell: (one) => integerText(one.files) },
            { title: 'Size', numeric: true, cell: ({ bytes }) => sizeText(bytes) },
          ]}
        />
      </details>
      {storage.length === 0 ? null : (
        <details>
          <summary>Accounts that have stored most</summary>
          <p className="remark">Results, and inputs of unfinished jobs and of schedules.</p>
          <Table
            caption="Accounts that have stored most, largest first"
            rows={storage}
            keyOf={({ account }) => account}
            columns={[
              { title: 'Account', heads: true, cell: accountLink },
              { title: 'Size', numeric: true, cell: ({ bytes }) => sizeText(bytes) },
            ]}
          />
        </details>
      )}
    </Panel>
  );
}
