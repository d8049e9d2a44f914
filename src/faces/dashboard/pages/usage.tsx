import { integerText } from '../../../output/number-text.js';
import { dayAfter } from '../days.js';
import { callSumColumns, EndpointChart, TimeChart } from '../parts/charts.js';
import { QuietSubmit, TextField } from '../parts/form.js';
import { Layout } from '../parts/layout.js';
import { Empty, Figures, Panel } from '../parts/panel.js';
import { Table } from '../parts/table.js';
import type { Spend } from '../spend.js';

/** Rows of the table; the download has all of them. */
const maxRows = 40;

const presets = [7, 30, 90, 365];

const rangeOf = (first: string, last: string) => `from=${first}&to=${last}`;

function Range({ spend: { first, last }, today }: { spend: Spend; today: string }) {
  return (
    <form className="range" method="get" action="/dashboard/usage">
      <TextField name="from" label="From" value={first} input={{ type: 'date', required: true }} />
      <TextField name="to" label="To" value={last} input={{ type: 'date', required: true }} />
      <QuietSubmit>Show</QuietSubmit>
      <p className="presets">
        {presets.map((days) => {
          const from = dayAfter(today, 1 - days);
          return (
            <a
              key={days}
              href={`/dashboard/usage?${rangeOf(from, today)}`}
              aria-current={from === first && today === last ? 'true' : undefined}
            >
              {days} days
            </a>
          );
        })}
      </p>
    </form>
  );
}

/** The spending of an account over a range of days: as a chart, by endpoint, and by day. */
export function UsagePage({ spend, today }: { spend: Spend; today: string }) {
  const { rows, total, first, last } = spend;
  const address = rangeOf(first, last);
  const download = (
    <a
      className="button quiet"
      href={`/dashboard/usage.csv?${address}`}
      download={`usage-${first}-${last}.csv`}
    >
      Download CSV
    </a>
  );
  return (
    <Layout title="Usage" lead="What your calls cost, by day (UTC) and endpoint." actions={download}>
      <Range spend={spend} today={today} />
      <Figures
        of={[
          { name: 'Credits', value: integerText(total.credits) },
          { name: 'Calls', value: integerText(total.calls) },
          { name: 'Failed, not charged', value: integerText(total.failed) },
        ]}
      />
      {rows.length === 0 ? (
        <Empty title="No calls in this period">
          <p>
            Choose another period, or <a href="/dashboard/playground">make a call in the playground</a>.
          </p>
        </Empty>
      ) : (
        <>
          <Panel title={`Credits by ${spend.step}`}>
            <TimeChart spend={spend} />
          </Panel>
          <Panel title="Credits by endpoint">
            <EndpointChart spend={spend} />
          </Panel>
          <Panel
            title="By day and endpoint"
            aside={
              rows.length > maxRows
                ? `the newest ${maxRows} of ${integerText(rows.length)}; the CSV has all`
                : undefined
            }
          >
            <Table
              caption="Usage by day and endpoint, newest first"
              kind="sums"
              rows={rows.toReversed().slice(0, maxRows)}
              keyOf={({ day, endpoint }) => `${day} ${endpoint}`}
              columns={[
                {
                  title: 'Day',
                  heads: true,
                  cell: ({ day, endpoint }) => (
                    <a
                      href={`/dashboard/requests?${rangeOf(day, day)}&endpoint=${encodeURIComponent(endpoint)}`}
                    >
                      {day}
                      <span className="unseen">, requests of {endpoint}</span>
                    </a>
                  ),
                },
                { title: 'Endpoint', cell: ({ endpoint }) => endpoint },
                ...callSumColumns,
              ]}
            />
          </Panel>
        </>
      )}
    </Layout>
  );
}
