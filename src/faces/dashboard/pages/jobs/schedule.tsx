import { integerText } from '../../../../output/number-text.js';
import { ErrorLink } from '../../../../output/site/code.js';
import { Time } from '../../../../output/site/time.js';
import type { Schedule } from '../../../../service/jobs/schedules/schedule.js';
import type { ScheduleRun } from '../../../../service/jobs/schedules/schedule-runs.js';
import { scheduleAddress } from '../../jobs/schedule-filters.js';
import type { ScheduleView } from '../../jobs/schedule-view.js';
import { WebhookBadge } from '../../parts/job.js';
import { jobsPage, Layout, schedulesPage } from '../../parts/layout.js';
import { isolated, ShortUrl } from '../../parts/name.js';
import { ConfirmLayout } from '../../parts/pages-below.js';
import { Details, Figures, Panel } from '../../parts/panel.js';
import { Every, ScheduleActions, ScheduleBadge } from '../../parts/schedule.js';
import { Pager, Table } from '../../parts/table.js';
import { ItemHistory } from './schedule-changes.js';
import { stepLines } from './step-lines.js';

const above = [jobsPage, schedulesPage] as const;

const nameOf = ({ name, endpoint }: Schedule) => name ?? `Schedule for ${endpoint}`;

function ScheduleFigures({ schedule }: { schedule: Schedule }) {
  const { status, next_run_at: next, total, credits_per_run, credits_in_30_days, runs_in_30_days } = schedule;
  const nextRun =
    next === null ? (
      'No further run'
    ) : (
      <>
        Next run <Time at={next} short />
      </>
    );
  return (
    <Figures
      of={[
        { name: 'Status', value: <ScheduleBadge state={status} />, note: nextRun },
        { name: 'Inputs a run', value: integerText(total), note: `${integerText(credits_per_run)} credits` },
        {
          name: 'In 30 days',
          value: integerText(credits_in_30_days),
          note: `credits, ${integerText(runs_in_30_days)} runs`,
        },
      ]}
    />
  );
}

/** Shows how the targets were notified of a run, or why they were not. */
function Alerts({ alerts }: Pick<ScheduleRun, 'alerts'>) {
  if (alerts.length === 0) return '–';
  return (
    <span className="prose">
      {alerts.map(({ target, state, attempts, error, next_attempt_at: next }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rendered once
        <span key={at} className="alert-line">
          {target} <WebhookBadge state={state} />
          {error === null ? null : (
            <small>
              {' '}
              {attempts === 1 ? '1 attempt' : `${attempts} attempts`}: {error}
              {next === null ? null : (
                <>
                  {' '}
                  Next: <Time at={next} />
                </>
              )}
            </small>
          )}
        </span>
      ))}
    </span>
  );
}

function Outcome({ run: { job, error } }: { run: ScheduleRun }) {
  if (job !== null) return <a href={`/dashboard/jobs/${job}`}>Job</a>;
  return error === null ? '–' : <ErrorLink code={error} />;
}

function Runs({ view: { schedule, runs, filters } }: { view: ScheduleView }) {
  const of = { ...filters, before: undefined };
  return (
    <Panel title="Runs">
      <Pager
        first={filters.runs === undefined ? null : scheduleAddress(schedule.id, { ...of, runs: undefined })}
        next={runs.next === null ? null : scheduleAddress(schedule.id, { ...of, runs: runs.next })}
      />
      <Table
        caption="Runs, newest first"
        rows={runs.runs}
        keyOf={({ number }) => String(number)}
        columns={[
          { title: 'Run', heads: true, cell: ({ number }) => integerText(number) },
          { title: 'Planned', cell: (run) => <Time at={run.planned_at} short /> },
          { title: 'Began', cell: (run) => <Time at={run.at} short /> },
          { title: 'Missed before it', numeric: true, cell: ({ missed }) => integerText(missed) },
          { title: 'Result', cell: (run) => <Outcome run={run} /> },
          { title: 'Alerts', cell: (run) => <Alerts alerts={run.alerts} /> },
        ]}
      />
    </Panel>
  );
}

function About({ schedule }: { schedule: Schedule }) {
  const { notify = [], webhook_url: webhook } = schedule;
  return (
    <Panel title="Details">
      <Details
        of={[
          ['Schedule', <code key="id">{schedule.id}</code>],
          ['Endpoint', <code key="endpoint">{schedule.endpoint}</code>],
          ['Repeats', <Every key="every" {...schedule} />],
          ...stepLines(schedule, true),
          ['Notifies', notify.length === 0 ? 'No one' : notify.join(', ')],
          webhook === null ? null : ['Webhook of each job', <ShortUrl key="webhook" url={webhook} />],
          schedule.status === 'ended'
            ? null
            : [
                'Shared links',
                <a key="links" href={`/dashboard/schedules/${schedule.id}/links`}>
                  Read it in a feed reader or a spreadsheet
                </a>,
              ],
          ['Created', <Time key="made" at={schedule.created_at} />],
        ]}
      />
    </Panel>
  );
}

/** One schedule: its history, its runs, its notifications, and its actions. */
export function SchedulePage({ view }: { readonly view: ScheduleView }) {
  const { schedule, history } = view;
  return (
    <Layout title={nameOf(schedule)} above={above} actions={<ScheduleActions schedule={schedule} />}>
      <ScheduleFigures schedule={schedule} />
      {history === null ? null : <ItemHistory view={view} history={history} />}
      <Runs view={view} />
      <About schedule={schedule} />
    </Layout>
  );
}

export function EndSchedulePage({ schedule }: { readonly schedule: Schedule }) {
  const path = scheduleAddress(schedule.id, {});
  const hasHistory = schedule.history === true;
  return (
    <ConfirmLayout
      title={`End “${isolated(nameOf(schedule))}”?`}
      above={[...above, { title: 'Schedule', href: path }]}
      lead={`No further runs start, and its shared links stop working. ${hasHistory ? 'Its history is deleted immediately. ' : ''}A run in progress continues, and its results stay available like any job’s.`}
      action={`${path}/end`}
      yes={hasHistory ? 'End it and delete its history' : 'End the schedule'}
      no="Let it run"
    />
  );
}
