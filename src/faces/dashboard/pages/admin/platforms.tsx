import type { PlatformDay } from '../../../../../lib/web/platform-day.js';
import { integerText } from '../../../../output/number-text.js';
import { AdminLayout } from '../../parts/admin-layout.js';
import { sizeText } from '../../parts/amounts.js';
import { Empty } from '../../parts/panel.js';
import { Table } from '../../parts/table.js';

interface PlatformsProps {
  /** Null if the counts cannot be read. */
  readonly days: readonly PlatformDay[] | null;
}

const gapText = (ms: number | null) => (ms === null ? '–' : `${(ms / 1000).toFixed(1)} s`);

/** Requests to each platform by day: a report for an ethics board, or for a platform. */
export function PlatformsPage({ days }: PlatformsProps) {
  return (
    <AdminLayout
      title="Platforms"
      lead="Requests to the platforms in the last 30 days (UTC), by this server and all processes that share its data. As CSV: extract usage --platforms --format csv."
    >
      <Table
        empty={
          <Empty title={days === null ? 'The counts are not available' : 'No requests to platforms yet'} />
        }
        caption="Requests to platforms by day, newest first"
        rows={days ?? []}
        keyOf={({ platform, day }) => `${platform} ${day}`}
        columns={[
          { title: 'Day', heads: true, cell: ({ day }) => day },
          { title: 'Platform', cell: ({ platform }) => <code>{platform}</code> },
          { title: 'Requests', numeric: true, cell: ({ requests }) => integerText(requests) },
          { title: 'Refusals', numeric: true, cell: ({ refusals }) => integerText(refusals) },
          { title: 'Received', numeric: true, cell: ({ bytes }) => sizeText(bytes) },
          { title: 'Shortest gap', numeric: true, cell: ({ shortest_gap_ms: ms }) => gapText(ms) },
        ]}
      />
    </AdminLayout>
  );
}
