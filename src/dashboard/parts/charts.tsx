import type { Spend } from '../spend.js';
import { grouped } from './amounts.js';
import { EndpointName } from './endpoint-name.js';
import { Table } from './table.js';

/** A round number that is not much larger: where an axis ends. */
export function axisEnd(max: number): number {
  if (max <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(max));
  return [1, 1.5, 2, 3, 4, 5, 6, 8, 10].map((step) => step * power).find((end) => end >= max) ?? max;
}

const height = 100;
/** Units of a drawing for a bar with the room around it, and for the bar alone. */
const barRoom = 10;
const barWidth = 7;

const inWords = (credits: number) => `${grouped(credits)} ${credits === 1 ? 'credit' : 'credits'}`;

/** Credits by day, or by week where the days are many, as bars, with the same numbers as a table behind them. */
export function TimeChart({ spend: { bySteps, step, total, first, last } }: { spend: Spend }) {
  const titleOf = (day: string) => (step === 'week' ? `Week from ${day}` : day);
  const end = axisEnd(Math.max(...bySteps.map(({ credits }) => credits)));
  const width = bySteps.length * barRoom;
  return (
    <figure className="chart">
      <div className="plot">
        <p className="scale" aria-hidden="true">
          <span>{grouped(end)}</span>
          <span>0</span>
        </p>
        <svg
          viewBox={`0 0 ${width} ${height}`}
          preserveAspectRatio="none"
          role="img"
          aria-labelledby="time-chart-title time-chart-text"
        >
          <title id="time-chart-title">{`Credits spent by ${step}`}</title>
          <desc id="time-chart-text">{`${inWords(total.credits)} from ${first} to ${last}. The table below has the numbers.`}</desc>
          {[0, 0.5, 1].map((part) => (
            <line key={part} className="grid-line" x1="0" x2={width} y1={part * height} y2={part * height} />
          ))}
          {bySteps.map(({ day, credits, calls }, index) => (
            <g key={day} className="step">
              <title>{`${titleOf(day)}: ${inWords(credits)}, ${grouped(calls)} ${calls === 1 ? 'call' : 'calls'}`}</title>
              <rect className="step-ground" x={index * barRoom} y="0" width={barRoom} height={height} />
              <rect
                className="bar-part"
                x={index * barRoom + (barRoom - barWidth) / 2}
                y={height - (credits / end) * height}
                width={barWidth}
                height={(credits / end) * height}
              />
            </g>
          ))}
        </svg>
      </div>
      <p className="axis" aria-hidden="true">
        <span>{first}</span>
        <span>{last}</span>
      </p>
      <details>
        <summary>Credits by {step} as a table</summary>
        <Table
          caption={`Credits by ${step}`}
          rows={bySteps.filter(({ calls }) => calls > 0)}
          keyOf={({ day }) => day}
          columns={[
            { title: step === 'week' ? 'Week' : 'Day', heads: true, cell: ({ day }) => titleOf(day) },
            { title: 'Calls', numeric: true, cell: ({ calls }) => grouped(calls) },
            { title: 'Failed', numeric: true, cell: ({ failed }) => grouped(failed) },
            { title: 'Credits', numeric: true, cell: ({ credits }) => grouped(credits) },
          ]}
        />
      </details>
    </figure>
  );
}

/** A part of a whole as a bar; the number stands beside it. */
function Share({ part, of }: { part: number; of: number }) {
  return (
    <svg className="share" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
      <rect className="bar-ground" width="100" height="6" />
      <rect className="bar-part" width={of === 0 ? 0 : (part / of) * 100} height="6" />
    </svg>
  );
}

/** Credits by endpoint: a table whose rows carry bars. */
export function EndpointChart({ spend: { byEndpoint } }: { spend: Spend }) {
  const maxCredits = Math.max(0, ...byEndpoint.map(({ credits }) => credits));
  return (
    <div className="chart">
      <Table
        caption="Credits by endpoint"
        rows={byEndpoint}
        keyOf={({ endpoint }) => endpoint}
        columns={[
          {
            title: 'Endpoint',
            heads: true,
            cell: ({ endpoint, credits }) => (
              <div className="shared">
                <a href={`/dashboard/requests?endpoint=${encodeURIComponent(endpoint)}`}>
                  <EndpointName path={endpoint} />
                </a>
                <Share part={credits} of={maxCredits} />
              </div>
            ),
          },
          { title: 'Calls', numeric: true, cell: ({ calls }) => grouped(calls) },
          { title: 'Credits', numeric: true, cell: ({ credits }) => grouped(credits) },
        ]}
      />
    </div>
  );
}
