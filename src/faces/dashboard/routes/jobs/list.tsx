import type { FastifyInstance } from 'fastify';
import { integerText } from '../../../../output/number-text.js';
import { Time } from '../../../../output/site/time.js';
import type { Job } from '../../../../service/jobs/job.js';
import { maxInputs } from '../../../../service/jobs/job-limits.js';
import { type DashboardContext, viewerOf } from '../../context.js';
import { costOf } from '../../jobs/job-cost.js';
import { QuietLink } from '../../parts/form.js';
import { JobBadge } from '../../parts/job.js';
import { jobsPage, Layout } from '../../parts/layout.js';
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
  return `${integerText(completed + failed)} of ${integerText(total)}`;
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

function JobsPage({ jobs, isLater, next }: JobsProps) {
  return (
    <Layout
      title="Batch jobs"
      lead="Many inputs, one endpoint, results in the order of the inputs."
      actions={
        <>
          <QuietLink href="/dashboard/schedules">Schedules</QuietLink>
          <a className="button" href="/dashboard/jobs/new">
            New job
          </a>
        </>
      }
    >
      <Table
        empty={isLater ? undefined : <NoJobs />}
        caption="Batch jobs, newest first"
        rows={jobs}
        keyOf={({ id }) => id}
        columns={[
          {
            title: 'Job',
            heads: true,
            cell: ({ id, name, endpoint }) => (
              <a href={`/dashboard/jobs/${id}`}>
                <Name of={name ?? `Job for ${endpoint}`} />
              </a>
            ),
          },
          { title: 'Created', cell: ({ created_at }) => <Time at={created_at} /> },
          { title: 'Endpoint', minor: true, cell: ({ endpoint }) => <code>{endpoint}</code> },
          { title: 'Status', cell: (job) => <JobBadge of={job} /> },
          { title: 'Inputs', numeric: true, cell: inputsOf },
          { title: 'Credits', numeric: true, cell: (job) => integerText(costOf(job)) },
        ]}
      />
      <Pager first={isLater ? jobsPage.href : null} next={next} />
    </Layout>
  );
}

const pageSize = 25;

export function addJobListRoute(app: FastifyInstance, { jobs }: DashboardContext): void {
  app.get('/jobs', async (request, reply) => {
    const { account } = viewerOf(request);
    const { before } = request.query as { readonly before?: unknown };
    // Any value is safe, because the list only contains this account's jobs.
    const from = typeof before === 'string' ? before : undefined;
    const { jobs: page, next } = await jobs.store.list(account.id, pageSize, from);
    return reply.sendPage(
      <JobsPage
        jobs={page}
        isLater={from !== undefined}
        next={next === null ? null : `/dashboard/jobs?before=${next}`}
      />,
    );
  });
}
