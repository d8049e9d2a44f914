import type { DayState } from '../../../service/health/day-states.js';
import type { State } from '../../../service/health/endpoint-state.js';

const width = 4;
const height = 24;

interface Run {
  readonly state: State;
  readonly from: number;
  readonly days: readonly DayState[];
}

/** Merges consecutive days in one state into one rectangle. */
function runsOf(days: readonly DayState[]): Run[] {
  const runs: { state: State; from: number; days: DayState[] }[] = [];
  for (const [index, day] of days.entries()) {
    const last = runs.at(-1);
    if (last?.state === day.state) last.days.push(day);
    else runs.push({ state: day.state, from: index, days: [day] });
  }
  return runs;
}

function runText({ state, days }: Run): string {
  const [first, last] = [days[0]?.day, days.at(-1)?.day];
  const when = first === last ? first : `${first} to ${last}`;
  return state === 'unknown' ? `${when}: no data` : `${when}: ${state}`;
}

export function historyText(days: readonly DayState[]): string {
  const knownDays = days.filter(({ ok }) => ok !== null);
  if (knownDays.length === 0) return 'No data for the last 90 days.';
  const ok = knownDays.reduce((sum, day) => sum + (day.ok ?? 0), 0) / knownDays.length;
  const rounded = ok === 1 ? '100' : (Math.floor(ok * 1000) / 10).toFixed(1);
  return `OK ${rounded}% of the time, ${knownDays.length === 1 ? '1 day' : `${knownDays.length} days`} of data`;
}

/** The last 90 days as a bar, oldest on the left. */
export function DayBar({ days }: { readonly days: readonly DayState[] }) {
  return (
    <svg
      className="days"
      viewBox={`0 0 ${days.length * width} ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={historyText(days)}
    >
      {runsOf(days).map((run) => (
        <rect
          key={run.from}
          className={run.state}
          x={run.from * width}
          y={0}
          width={run.days.length * width - 0.5}
          height={height}
        >
          <title>{runText(run)}</title>
        </rect>
      ))}
    </svg>
  );
}
