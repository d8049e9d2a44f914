import { integerText } from '../../../../output/number-text.js';
import { Time } from '../../../../output/site/time.js';
import type { Job } from '../../../../service/jobs/job.js';
import { maxInputs } from '../../../../service/jobs/job-limits.js';
import { costOf, JobBadge } from '../../parts/job.js';
import { Layout } from '../../parts/layout.js';
import { Name } from '../../parts/name.js';
import { Empty } from '../../parts/panel.js';
import { Pager, Table } from '../../parts/table.js';

interface JobsProps {
  readonly jobs: readonly Job[];
  /** True for any page but the first. */
  readonly isLater: boolean;
  readonly next: string | null;
}

function inputsOf({ total, completed, failed }: Job): string {
  const done = `${integerText(completed + failed)} of ${integerText(total)}`;
  return failed === 0 ? done : `${done}, ${integerText(failed)} failed`;
}

function NoJobs() {
  return (
    <Empty title="No jobs yet">
      <p>
        A job calls one endpoint for up to {integerText(maxInputs)} inputs: upload a file of names, URLs or
        IDs, and download one line of results for each. You see the price before you submit anything.
      </p>
      <p>
        <a className="button" href="/dashboard/jobs/new">
          Create a job
        </a>
      </p>
    </Empty>
  );
}

export function JobsPage({ jobs, isLater, next }: JobsProps) {
  return (
    <Layout
      title="Batch jobs"
      lead="Many inputs, one endpoint, results in the order of the inputs."
      actions={
        <>
          <a className="button quiet" href="/dashboard/schedules">
            Schedules
          </a>
          <a className="button" href="/dashboard/jobs/new">
            New job
          </a>
        </>
      }
    >
      {jobs.length === 0 && !isLater ? (
        <NoJobs />
      ) : (
        <Table
          caption="Batch jobs, newest first"
          rows={jobs}
          keyOf={({ id }) => id}
          columns={[
            {
              title: 'Job',
              heads: true,
              cell: ({ id, name, created_at }) => (
                <a href={`/dashboard/jobs/${id}`}>
                  {name === undefined ? <Time at={created_at} /> : <Name of={name} />}
                </a>
              ),
            },
            { title: 'Created', cell: ({ created_at }) => <Time at={created_at} /> },
            { title: 'Endpoint', cell: ({ endpoint }) => <code>{endpoint}</code> },
            { title: 'Status', cell: (job) => <JobBadge of={job} /> },
            { title: 'Inputs', numeric: true, cell: inputsOf },
            { title: 'Credits', numeric: true, cell: (job) => integerText(costOf(job)) },
          ]}
        />
      )}
      <Pager first={isLater ? '/dashboard/jobs' : null} next={next} />
    </Layout>
  );
}
