import type { NamedSeries } from '../../../files/history/choose-series.js';
import { growthTexts, measuresOf } from '../../../files/history/growth.js';
import { lineColors, maxLines, path, scale, ticks } from '../../../files/history/plot/line-geometry.js';
import { decimalText } from '../../../output/number-text.js';
import { Time } from '../../../output/site/time.js';
import { Table } from './table.js';

/** Units of the drawing, which is stretched to fit; texts are outside of it. */
const [width, height] = [1000, 200];
/** The marker of a line, in its colour; empty for one that is not drawn. */
function LineMark({ index }: { index: number }) {
  const color = lineColors[index];
  if (color === undefined) return null;
  return (
    <svg className="line-mark" viewBox="0 0 10 10" aria-hidden="true">
      <circle cx="5" cy="5" r="5" fill={color} />
    </svg>
  );
}

/** The lines of numbers over time, between an axis of values and one in the reader's time zone. */
function Drawing({ lines, title }: { lines: readonly NamedSeries[]; title: string }) {
  const series = lines.slice(0, maxLines).map(measuresOf);
  const measures = series.flat();
  const x = scale(
    measures.map(({ at }) => at),
    4,
    width - 4,
  );
  const y = scale(
    measures.map(({ value }) => value),
    height - 4,
    4,
  );
  const times = x.low === x.high ? [x.low] : [x.low, (x.low + x.high) / 2, x.high];
  return (
    <div className="plot">
      <p className="scale" aria-hidden="true">
        <span>{decimalText(y.high)}</span>
        {y.low === y.high ? null : <span>{decimalText(y.low)}</span>}
      </p>
      <svg
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-labelledby="lines-title"
      >
        <title id="lines-title">{title}</title>
        {ticks(y.low, y.high).map((value) => (
          <line key={value} className="grid-line" x1="0" x2={width} y1={y.scale(value)} y2={y.scale(value)} />
        ))}
        {series.map((one, index) => {
          const last = one.at(-1);
          return last === undefined ? null : (
            // biome-ignore lint/suspicious/noArrayIndexKey: rendered once
            <g key={index} className="line" stroke={lineColors[index]}>
              <path d={path(one, x, y)} />
              <path className="line-end" d={`M${x.scale(last.at)} ${y.scale(last.value)}h0`} />
            </g>
          );
        })}
      </svg>
      <p className="axis">
        {times.map((at) => (
          <span key={at}>
            <Time at={new Date(at).toISOString()} short />
          </span>
        ))}
      </p>
    </div>
  );
}

/** Numbers over time: a drawing, and below it each line's name, current value and growth. */
export function Lines({
  lines,
  title,
  addressOf,
}: {
  readonly lines: readonly NamedSeries[];
  readonly title: string;
  /** Returns the address of a page that shows one line only. */
  readonly addressOf: (line: NamedSeries) => string;
}) {
  const rows = lines.map((line, index) => ({ line, index, ...growthTexts(measuresOf(line)) }));
  return (
    <figure className="chart">
      <Drawing lines={lines} title={title} />
      <Table
        caption={title}
        rows={rows}
        keyOf={({ index }) => String(index)}
        columns={[
          {
            title: 'Of',
            heads: true,
            cell: ({ line, index }) => (
              <span>
                <LineMark index={index} /> <a href={addressOf(line)}>{line.name}</a>
              </span>
            ),
          },
          { title: 'Now', numeric: true, cell: ({ now }) => now ?? '–' },
          { title: 'In a day', numeric: true, cell: ({ day }) => day ?? '–' },
          { title: 'In a week', numeric: true, cell: ({ week }) => week ?? '–' },
        ]}
      />
    </figure>
  );
}
