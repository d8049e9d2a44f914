import { catalogue, type ErrorCode } from '../../../../../lib/errors/catalogue.js';
import { integerText } from '../../../../output/number-text.js';
import { ErrorLink } from '../../../../output/site/code.js';
import { Time } from '../../../../output/site/time.js';
import { useFrame } from '../../frame.js';
import type { FailedLine } from '../../jobs/failed-lines.js';
import { chargedOf } from '../../jobs/job-cost.js';
import { isFinal, type JobView, viewKey } from '../../jobs/job-view.js';
import type { ResultsPreview } from '../../jobs/preview.js';
import { scheduleAddress } from '../../jobs/schedule-filters.js';
import { ActionButton } from '../../parts/form.js';
import { JobBadge } from '../../parts/job.js';
import { jobsPage, Layout } from '../../parts/layout.js';
import { ConfirmLayout } from '../../parts/pages-below.js';
import { Details, Figures, Panel } from '../../parts/panel.js';
import { Table } from '../../parts/table.js';
import { Results } from './results.js';
import { WebhookPanel } from './webhook.js';

const maxInputCharacters = 200;

interface JobProps {
  readonly view: JobView;
  /** The first failed inputs, once the results are complete. */
  readonly failed: readonly FailedLine[];
  /** The first results; null if there are none yet. */
  readonly preview: ResultsPreview | null;
}

/** Returns the numbers that change while a job runs, named after the page's elements. */
export function jobNumbers({ job }: JobView) {
  const { completed, failed, total } = job;
  return {
    ended: integerText(completed + failed),
    completed: integerText(completed),
    failed: integerText(failed),
    charged: integerText(chargedOf(job)),
    percent: `${Math.floor(((completed + failed) / total) * 100)}%`,
  };
}

function Progress({ view }: { view: JobView }) {
  const { job } = view;
  const { ended, completed, failed, charged, percent } = jobNumbers(view);
  const { sells } = useFrame();
  const live = isFinal(view)
    ? {}
    : { 'data-live': `/dashboard/jobs/${job.id}/progress`, 'data-mark': viewKey(view) };
  return (
    <section className="panel" {...live}>
      <header>
        <h2>
          <JobBadge of={job} />
        </h2>
        <div className="aside">
          <span data-part="ended">{ended}</span> of {integerText(job.total)} inputs,{' '}
          <span data-part="percent">{percent}</span>
          {isFinal(view) ? null : (
            <span className="without-script">
              {' '}
              · <a href={`/dashboard/jobs/${job.id}`}>Refresh</a>
            </span>
          )}
        </div>
      </header>
      <progress
        aria-label="Finished inputs"
        data-part="progress"
        max={job.total}
        value={job.completed + job.failed}
      />
      <Figures
        of={[
          { name: 'Answered', value: completed, part: 'completed' },
          { name: 'Failed', value: failed, part: 'failed' },
          sells && chargedOf(job) > 0
            ? {
                name: 'Credits charged',
                value: charged,
                part: 'charged',
                note: `of ${integerText(job.credits_reserved)} reserved`,
              }
            : null,
        ]}
      />
    </section>
  );
}

/** True for an error that the input itself causes. */
const isFault = (code: ErrorCode) => catalogue[code].type === 'invalid_request';

function FailedInputs({ view, failed }: JobProps) {
  const { job, results } = view;
  if (job.failed === 0 || results !== 'whole') return null;
  const isHopeless = failed.length === job.failed && failed.every(({ error }) => isFault(error.code));
  return (
    <Panel
      title="Failed inputs"
      aside={
        failed.length < job.failed ? `The first ${failed.length} of ${integerText(job.failed)}` : undefined
      }
    >
      <p>
        Failed inputs are free: their credits were refunded.
        {isHopeless ? ' Running them again will not help: correct or remove them.' : ''}
      </p>
      <div className="row">
        {isHopeless ? null : (
          <ActionButton action={`/dashboard/jobs/${job.id}/retry`}>Run them again</ActionButton>
        )}
        <a className="button quiet" href={`/dashboard/jobs/${job.id}/failed`} download="">
          Download the failed lines
        </a>
      </div>
      <Table
        caption="Failed inputs"
        rows={failed}
        keyOf={({ number }) => String(number)}
        columns={[
          { title: 'Input', heads: true, cell: ({ number }) => integerText(number) },
          {
            title: 'Parameters',
            cell: ({ input }) => (
              <code className="prose">
                {input.length > maxInputCharacters ? `${input.slice(0, maxInputCharacters)}…` : input}
              </code>
            ),
          },
          { title: 'Code', cell: ({ error }) => <ErrorLink code={error.code} /> },
          { title: 'What happened', cell: ({ error }) => <span className="prose">{error.message}</span> },
        ]}
      />
    </Panel>
  );
}

/** Fields that were missing more often than usual: the platform's pages may have changed. */
function Comparison({ sentences }: { readonly sentences: readonly string[] }) {
  if (sentences.length === 0) return null;
  return (
    <Panel title="Fields missing more often than usual">
      <p>
        The answers match the pages. <a href="/status">Status</a> shows how the endpoint is doing.
      </p>
      <ul>
        {sentences.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </Panel>
  );
}

/** One job: its progress, cost, results, failures and webhook. */
export function JobPage(props: JobProps) {
  const { view, preview } = props;
  const { job, delivery } = view;
  return (
    <Layout
      title={job.name ?? `Job for ${job.endpoint}`}
      above={[jobsPage]}
      actions={
        job.finished_at === null ? (
          <a className="button danger" href={`/dashboard/jobs/${job.id}/cancel`}>
            Cancel
          </a>
        ) : undefined
      }
    >
      <Progress view={view} />
      <Comparison sentences={view.comparison} />
      <Results view={view} preview={preview} />
      <FailedInputs {...props} />
      {delivery === null ? null : <WebhookPanel delivery={delivery} view={view} />}
      <Panel title="Details">
        <Details
          of={[
            ['Job', <code key="id">{job.id}</code>],
            ['Endpoint', <code key="endpoint">{job.endpoint}</code>],
            ['Created', <Time key="made" at={job.created_at} />],
            job.schedule === undefined
              ? null
              : [
                  'Schedule',
                  <a key="schedule" href={scheduleAddress(job.schedule, {})}>
                    The schedule that created it
                  </a>,
                ],
            job.finished_at === null ? null : ['Finished', <Time key="finished" at={job.finished_at} />],
            [
              'Shared links',
              <a key="links" href={`/dashboard/jobs/${job.id}/links`}>
                Read the results in a spreadsheet
              </a>,
            ],
            [
              'Requests',
              <a key="calls" href={`/dashboard/requests?job=${job.id}`}>
                Show the requests of this job
              </a>,
            ],
          ]}
        />
      </Panel>
    </Layout>
  );
}

export function CancelJobPage({ view }: { view: JobView }) {
  const { id, total, completed, failed } = view.job;
  const path = `/dashboard/jobs/${id}`;
  return (
    <ConfirmLayout
      title="Cancel this job?"
      above={[jobsPage, { title: 'Job', href: path }]}
      lead={`${integerText(total - completed - failed)} of ${integerText(total)} inputs have not run yet. They will be cancelled and refunded. Existing results stay available.`}
      action={`${path}/cancel`}
      yes="Cancel the job"
      no="Let it run"
    />
  );
}
