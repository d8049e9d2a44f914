import { Time } from '../../../../output/site/time.js';
import type { Delivery } from '../../../../service/jobs/webhooks/webhooks.js';
import type { JobView } from '../../jobs/job-view.js';
import { ActionButton } from '../../parts/form.js';
import { WebhookBadge } from '../../parts/job.js';
import { ShortUrl } from '../../parts/name.js';
import { Details, Panel } from '../../parts/panel.js';
import { Table } from '../../parts/table.js';

interface WebhookProps {
  readonly delivery: Delivery;
  readonly view: JobView;
}

function Attempts({ delivery: { attempts } }: { delivery: Delivery }) {
  return (
    <Table
      caption="Attempts, oldest first"
      rows={attempts}
      keyOf={({ number }) => String(number)}
      columns={[
        { title: 'Attempt', heads: true, cell: ({ number }) => number },
        { title: 'Time', cell: ({ at }) => <Time at={at} /> },
        { title: 'HTTP status', cell: ({ status }) => status ?? 'none' },
        { title: 'Result', cell: ({ error }) => error ?? 'Accepted' },
      ]}
    />
  );
}

/** The webhook of a finished job: its target, every attempt, and the form to send it again. */
export function WebhookPanel({ delivery, view }: WebhookProps) {
  const { id, url, state, attempts, next_attempt_at: next } = delivery;
  const { job, results } = view;
  const waits = results === 'coming';
  return (
    <Panel title="Webhook" aside={<WebhookBadge state={state} />}>
      <Details
        of={[
          ['Sent to', <ShortUrl key="url" url={url} />],
          ['Delivery', <code key="id">{id}</code>],
          next === null || waits ? null : ['Next attempt', <Time key="next" at={next} />],
        ]}
      />
      {waits ? (
        <p>It is sent when the job finishes.</p>
      ) : state === 'pending' ? null : (
        <ActionButton kind="quiet" action={`/dashboard/jobs/${job.id}/redeliver`}>
          Send again
        </ActionButton>
      )}
      {attempts.length === 0 ? null : <Attempts delivery={delivery} />}
    </Panel>
  );
}
