import { dayMs } from '../../../../lib/runtime/clock.js';
import type { Series } from '../../../lines/memory/history.js';
import { decimalText } from '../../../output/number-text.js';
import { measuresOf } from '../growth.js';
import { lineColors, maxLines, path, scale, ticks } from './line-geometry.js';

const width = 960;
const height = 420;
const margin = { left: 90, right: 20, top: 20, bottom: 50 };

/** Formats a time on the axis, with the hour if the chart covers few days. */
function timeText(at: number, span: number): string {
  const text = new Date(at).toISOString();
  return span < 3 * dayMs ? `${text.slice(5, 10)} ${text.slice(11, 16)}` : text.slice(0, 10);
}

const namesOfRow = 3;
const rowHeight = 24;

function Legend({ names }: { readonly names: readonly string[] }) {
  const step = (width - margin.left - margin.right) / namesOfRow;
  return names.map((name, index) => {
    const x = margin.left + (index % namesOfRow) * step;
    const y = height + Math.floor(index / namesOfRow) * rowHeight;
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: rendered once
      <g key={index}>
        <circle cx={x + 5} cy={y - 4} r={5} fill={lineColors[index]} />
        <text className="axis" x={x + 16} y={y}>
          {name}
        </text>
      </g>
    );
  });
}

/**
 * Draws lines over time, with a title as text alternative. `names` labels the lines, if nothing next to the chart does.
 */
export function LineChart({
  series,
  title,
  names = [],
}: {
  readonly series: readonly Series[];
  readonly title: string;
  readonly names?: readonly string[];
}) {
  const lines = series.slice(0, maxLines).map(measuresOf);
  const all = lines.flat();
  const x = scale(
    all.map(({ at }) => at),
    margin.left,
    width - margin.right,
  );
  const y = scale(
    all.map(({ value }) => value),
    height - margin.bottom,
    margin.top,
  );
  const times = [0, 1, 2, 3, 4].map((step) => x.low + ((x.high - x.low) * step) / 4);
  return (
    <svg
      xmlns="http://www.w3.org/2000/svg"
      viewBox={`0 0 ${width} ${height + Math.ceil(names.length / namesOfRow) * rowHeight}`}
      role="img"
      aria-label={title}
    >
      <title>{title}</title>
      {ticks(y.low, y.high).map((value) => (
        <g key={value}>
          <line
            className="grid"
            x1={margin.left}
            x2={width - margin.right}
            y1={y.scale(value)}
            y2={y.scale(value)}
          />
          <text className="axis" x={margin.left - 8} y={y.scale(value) + 4} textAnchor="end">
            {decimalText(value)}
          </text>
        </g>
      ))}
      {(x.low === x.high ? [x.low] : times).map((at, index, times) => (
        <text
          className="axis"
          key={at}
          x={x.scale(at)}
          y={height - margin.bottom + 24}
          textAnchor={
            times.length === 1
              ? 'middle'
              : index === 0
                ? 'start'
                : index === times.length - 1
                  ? 'end'
                  : 'middle'
          }
        >
          {timeText(at, x.high - x.low)}
        </text>
      ))}
      {lines.map((measures, index) => {
        const last = measures.at(-1);
        const color = lineColors[index];
        if (last === undefined) return null;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: rendered once
          <g key={index}>
            <path d={path(measures, x, y)} fill="none" stroke={color} strokeWidth={2} />
            <circle cx={x.scale(last.at)} cy={y.scale(last.value)} r={3.5} fill={color} />
          </g>
        );
      })}
      <Legend names={names.slice(0, maxLines)} />
    </svg>
  );
}
