import { integerText } from '../../../../output/number-text.js';
import { ErrorLink } from '../../../../output/site/code.js';
import { Time } from '../../../../output/site/time.js';
import type { Schedule } from '../../../../service/jobs/schedules/schedule.js';
import { scheduleAddress } from '../../jobs/schedule-filters.js';
import { jobsPage, Layout } from '../../parts/layout.js';
import { Moment } from '../../parts/moment.js';
import { Name } from '../../parts/name.js';
import { Empty } from '../../parts/panel.js';
import { Every, ScheduleActions, ScheduleBadge } from '../../parts/schedule.js';
import { Pager, Table } from '../../parts/table.js';

interface SchedulesProps {
  readonly schedules: readonly Schedule[];
  readonly isLater: boolean;
  readonly next: string | null;
}

function LastRun({ last_run: { at, job, error } }: Schedule) {
  return (
    <>
      {job === null ? (
        <Time at={at} />
      ) : (
        <a href={`/dashboard/jobs/${job}`}>
          <Time at={at} />
        </a>
      )}{' '}
      {error === null ? null : <ErrorLink code={error} />}
    </>
  );
}

/** Recurring jobs, with their monthly cost. */
export function SchedulesPage({ schedules, isLater, next }: SchedulesProps) {
  return (
    <Layout
      title="Schedules"
      above={[jobsPage]}
      lead="Recurring jobs. Each run is a separate job."
      actions={
        <a className="button" href="/dashboard/jobs/new">
          New job
        </a>
      }
    >
      <Table
        empty={
          isLater ? undefined : (
            <Empty title="No schedules">
              <p>To create one, set “Repeat” in a new job.</p>
            </Empty>
          )
        }
        caption="Schedules, newest first"
        rows={schedules}
        keyOf={({ id }) => id}
        columns={[
          {
            title: 'Schedule',
            heads: true,
            cell: ({ id, name, endpoint }) => (
              <a href={scheduleAddress(id, {})}>
                <Name of={name ?? endpoint} />
              </a>
            ),
          },
          { title: 'Every', cell: Every },
          { title: 'Status', cell: ({ status }) => <ScheduleBadge state={status} /> },
          {
            title: 'Credits per run',
            numeric: true,
            minor: true,
            cell: (one) => integerText(one.credits_per_run),
          },
          {
            title: 'In 30 days',
            numeric: true,
            minor: true,
            cell: (one) => integerText(one.credits_in_30_days),
          },
          { title: 'Next run', cell: ({ next_run_at }) => <Moment at={next_run_at} /> },
          { title: 'Last run', minor: true, cell: LastRun },
          { title: 'Change', cell: (schedule) => <ScheduleActions schedule={schedule} /> },
        ]}
      />
      <Pager first={isLater ? '/dashboard/schedules' : null} next={next} />
    </Layout>
  );
}
