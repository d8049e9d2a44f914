import { integerText } from '../../../../output/number-text.js';
import { Time } from '../../../../output/site/time.js';
import type { Job } from '../../../../service/jobs/job.js';
import { AdminLayout } from '../../parts/admin-layout.js';
import { JobBadge } from '../../parts/job.js';
import { Empty } from '../../parts/panel.js';
import { Table } from '../../parts/table.js';

interface JobLine {
  readonly job: Job;
  readonly account: string;
  /** Null for a deleted account. */
  readonly email: string | null;
}

interface JobsProps {
  readonly jobs: readonly JobLine[];
  readonly count: number;
}

/** Running and waiting jobs of all accounts: their progress, and nothing of their content. */
export function AdminJobsPage({ jobs, count }: JobsProps) {
  const some = jobs.length < count ? ` These are the oldest ${jobs.length}.` : '';
  return (
    <AdminLayout
      title="Jobs"
      lead={
        count === 0
          ? undefined
          : `${integerText(count)} ${count === 1 ? 'job has' : 'jobs have'} not finished.${some}`
      }
    >
      <Table
        empty={<Empty title="No jobs are running or waiting" />}
        caption="Unfinished jobs, oldest first"
        rows={jobs}
        keyOf={({ job }) => job.id}
        columns={[
          { title: 'Created', heads: true, cell: ({ job }) => <Time at={job.created_at} /> },
          {
            title: 'Account',
            cell: ({ account, email }) =>
              email === null ? 'deleted' : <a href={`/admin/accounts/${account}`}>{email}</a>,
          },
          { title: 'Endpoint', cell: ({ job }) => <code>{job.endpoint}</code> },
          { title: 'Status', cell: ({ job }) => <JobBadge of={job} /> },
          {
            title: 'Inputs',
            numeric: true,
            cell: ({ job }) => `${integerText(job.completed + job.failed)} of ${integerText(job.total)}`,
          },
          { title: 'Failed', numeric: true, cell: ({ job }) => integerText(job.failed) },
        ]}
      />
    </AdminLayout>
  );
}
