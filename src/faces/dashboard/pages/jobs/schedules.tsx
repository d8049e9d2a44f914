import { integerText } from '../../../../output/number-text.js';
import { ErrorLink } from '../../../../output/site/code.js';
import { Time } from '../../../../output/site/time.js';
import type { Schedule } from '../../../../service/jobs/schedules/schedule.js';
import { Layout } from '../../parts/layout.js';
import { Name } from '../../parts/name.js';
import { Empty } from '../../parts/panel.js';
import { Every, ScheduleActions, ScheduleBadge } from '../../parts/schedule.js';
import { Pager, Table } from '../../parts/table.js';

interface SchedulesProps {
  readonly schedules: readonly Schedule[];
  readonly isLater: boolean;
  readonly next: string | null;
}

function Title({ id, name, endpoint }: Schedule) {
  return (
    <a href={`/dashboard/schedules/${id}`}>
      {name === undefined ? null : (
        <>
          <Name of={name} />
          <br />
        </>
      )}
      <code>{endpoint}</code>
    </a>
  );
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
      )}
      {error === null ? null : (
        <>
          {' '}
          <ErrorLink code={error} />
        </>
      )}
    </>
  );
}

/** Recurring jobs, with their monthly cost. */
export function SchedulesPage({ schedules, isLater, next }: SchedulesProps) {
  return (
    <Layout
      title="Schedules"
      above={[{ title: 'Batch jobs', href: '/dashboard/jobs' }]}
      lead="Recurring jobs. Each run is a separate job."
      actions={
        <a className="button" href="/dashboard/jobs/new">
          New job
        </a>
      }
    >
      {schedules.length === 0 && !isLater ? (
        <Empty title="No schedules">
          <p>To create one, set “Repeat” in a new job.</p>
        </Empty>
      ) : (
        <Table
          caption="Schedules, newest first"
          rows={schedules}
          keyOf={({ id }) => id}
          columns={[
            { title: 'Schedule', heads: true, cell: Title },
            { title: 'Every', cell: Every },
            { title: 'Status', cell: ScheduleBadge },
            { title: 'Credits per run', numeric: true, cell: (one) => integerText(one.credits_per_run) },
            { title: 'In 30 days', numeric: true, cell: (one) => integerText(one.credits_in_30_days) },
            {
              title: 'Next run',
              cell: ({ next_run_at: at }) => (at === null ? '–' : <Time at={at} />),
            },
            { title: 'Last run', cell: LastRun },
            { title: 'Change', cell: (schedule) => <ScheduleActions {...{ schedule }} /> },
          ]}
        />
      )}
      <Pager first={isLater ? '/dashboard/schedules' : null} next={next} />
    </Layout>
  );
}
