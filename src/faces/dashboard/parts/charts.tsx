import type { DaySpend } from '../../../../lib/ledger/call-row.js';
import { integerText } from '../../../output/number-text.js';
import type { Spend, SpendStep } from '../spend.js';
import { type Column, Table } from './table.js';

/** Returns a round number not much larger, for the end of an axis. */
function axisEnd(max: number): number {
  if (max <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(max));
  return [1, 1.5, 2, 3, 4, 5, 6, 8, 10].map((step) => step * power).find((end) => end >= max) ?? max;
}

const height = 100;
/** Widths in the drawing: of a bar with its margins, and of the bar alone. */
const barRoom = 10;
const barWidth = 7;

/** The columns with sums over calls. */
export const callSumColumns: readonly Column<Pick<DaySpend, 'calls' | 'failed' | 'credits'>>[] = [
  { title: 'Calls', numeric: true, cell: ({ calls }) => integerText(calls) },
  { title: 'Failed', numeric: true, cell: ({ failed }) => integerText(failed) },
  { title: 'Credits', numeric: true, cell: ({ credits }) => integerText(credits) },
];

const inWords = (credits: number) => `${integerText(credits)} ${credits === 1 ? 'credit' : 'credits'}`;

const maxDates = 7;

/** Returns the steps that have a date below the chart: the first, the last, and some at about equal distances. */
function datedSteps(count: number): readonly number[] {
  const dates = Math.min(count, maxDates);
  if (dates < 2) return [0];
  return Array.from({ length: dates }, (_, at) => Math.round(((count - 1) / (dates - 1)) * at));
}

function Stack({ step, end, index }: { step: SpendStep; end: number; index: number }) {
  const x = index * barRoom + (barRoom - barWidth) / 2;
  const bars = step.credits_by_series.map((credits, series) => {
    const below = step.credits_by_series.slice(0, series).reduce((sum, one) => sum + one, 0);
    return { series, y: height - ((below + credits) / end) * height, high: (credits / end) * height };
  });
  return bars
    .filter(({ high }) => high > 0)
    .map(({ series, y, high }) => (
      <rect key={series} className={`series-${series}`} x={x} y={y} width={barWidth} height={high} />
    ));
}

function Scale({ end }: { end: number }) {
  return (
    <p className="scale" aria-hidden="true">
      <span>{integerText(end)}</span>
      <span>0</span>
    </p>
  );
}

/** Failed calls by day or week, in a separate chart because they cost no credits. */
function FailureChart({ spend: { bySteps, step, total } }: { spend: Spend }) {
  const end = axisEnd(Math.max(...bySteps.map(({ failed }) => failed)));
  const width = bySteps.length * barRoom;
  return (
    <>
      <Scale end={end} />
      <svg
        className="failures"
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-labelledby="failure-chart-title"
      >
        <title id="failure-chart-title">{`Failed calls by ${step}, ${integerText(total.failed)} in all`}</title>
        {[0, 1].map((part) => (
          <line key={part} className="grid-line" x1="0" x2={width} y1={part * height} y2={part * height} />
        ))}
        {bySteps.map(({ day, failed }, index) => (
          <g key={day} className="failed-step">
            <title>{`${day}: ${integerText(failed)} failed`}</title>
            <rect
              x={index * barRoom + (barRoom - barWidth) / 2}
              y={height - (failed / end) * height}
              width={barWidth}
              height={(failed / end) * height}
            />
          </g>
        ))}
      </svg>
    </>
  );
}

function Legend({ spend: { series, byEndpoint, total } }: { spend: Spend }) {
  const hasOthers = byEndpoint.some(({ endpoint, credits }) => credits > 0 && !series.includes(endpoint));
  const names = [...series, ...(hasOthers ? ['other endpoints'] : [])];
  return (
    <ul className="legend">
      {names.map((name, at) => (
        <li key={name}>
          <svg viewBox="0 0 10 10" aria-hidden="true">
            <rect className={`series-${at}`} width="10" height="10" />
          </svg>
          {name}
        </li>
      ))}
      {total.failed === 0 ? null : (
        <li>
          <svg viewBox="0 0 10 10" aria-hidden="true">
            <rect className="failed-mark" width="10" height="10" />
          </svg>
          Failed calls
        </li>
      )}
    </ul>
  );
}

/**
 * Credits by day, or by week for long ranges. Bars are stacked by endpoint, with failed calls below, and a table has
 * the same numbers.
 */
export function TimeChart({ spend }: { spend: Spend }) {
  const { bySteps, step, total, first, last } = spend;
  const titleOf = (day: string) => (step === 'week' ? `Week from ${day}` : day);
  const end = axisEnd(Math.max(...bySteps.map(({ credits }) => credits)));
  const width = bySteps.length * barRoom;
  if (total.credits === 0) {
    const failed = total.failed === 0 ? '' : `; ${integerText(total.failed)} calls failed`;
    return <p className="muted">{`No credits were spent${failed}.`}</p>;
  }
  return (
    <figure className="chart">
      <Legend spend={spend} />
      <div className="plot">
        <Scale end={end} />
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
          {bySteps.map((one, index) => (
            <g key={one.day} className="step">
              <title>{`${titleOf(one.day)}: ${inWords(one.credits)}, ${integerText(one.calls)} ${one.calls === 1 ? 'call' : 'calls'}`}</title>
              <rect className="step-ground" x={index * barRoom} y="0" width={barRoom} height={height} />
              <Stack step={one} end={end} index={index} />
            </g>
          ))}
        </svg>
        {total.failed === 0 ? null : <FailureChart spend={spend} />}
        <p className="axis" aria-hidden="true">
          {datedSteps(bySteps.length).map((at) => (
            <span key={at}>{bySteps[at]?.day}</span>
          ))}
        </p>
      </div>
      <details>
        <summary>Credits by {step} as a table</summary>
        <Table
          caption={`Credits by ${step}`}
          rows={bySteps.filter(({ calls }) => calls > 0)}
          keyOf={({ day }) => day}
          columns={[
            { title: step === 'week' ? 'Week' : 'Day', heads: true, cell: ({ day }) => titleOf(day) },
            ...callSumColumns,
          ]}
        />
      </details>
    </figure>
  );
}

/** A share as a bar; the number is next to it. */
function Share({ part, of }: { part: number; of: number }) {
  return (
    <svg className="share" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
      <rect className="bar-ground" width="100" height="6" />
      <rect className="bar-part" width={of === 0 ? 0 : (part / of) * 100} height="6" />
    </svg>
  );
}

/** Credits by endpoint: a table with a bar in each row. */
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
                <a href={`/dashboard/requests?endpoint=${encodeURIComponent(endpoint)}`}>{endpoint}</a>
                <Share part={credits} of={maxCredits} />
              </div>
            ),
          },
          ...callSumColumns,
        ]}
      />
    </div>
  );
}
