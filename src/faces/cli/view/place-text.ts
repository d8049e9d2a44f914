import { isRecord } from '../../../../lib/read/json.js';
import { printableLine } from '../printable.js';

type Item = Readonly<Record<string, unknown>>;

const areItems = (value: unknown): value is readonly Item[] =>
  Array.isArray(value) && value.length > 0 && value.every(isRecord);

const days = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const dayName = (day: unknown) => days[Number(day)] ?? '?';

/** "0830" → "08:30". */
const clock = (time: unknown) => String(time).replace(/^(\d{2})(\d{2})$/, '$1:$2');

interface Edge {
  readonly day: number;
  readonly time: string;
}

function isPeriod(value: Item): boolean {
  return isRecord(value.open) && 'day' in value.open && 'time' in value.open && 'close' in value;
}

/** Formats opening hours as lines of a week: `Mon  08:00–12:00, 14:30–19:00`. */
function openingLines(periods: readonly Item[]): string[] {
  return days.map((_, day) => {
    const spans = periods
      .map(({ open, close }) => ({ open: open as Edge, close: close as Edge | null }))
      .filter(({ open }) => open.day === day)
      .map(({ open, close }) =>
        close === null ? 'open at all hours' : `${clock(open.time)}–${clock(close.time)}`,
      );
    return `${dayName(day)}  ${spans.length === 0 ? 'closed' : spans.join(', ')}`;
  });
}

const bars = '▁▂▃▄▅▆▇█';

function isBusyDay(value: Item): boolean {
  return 'day' in value && Array.isArray(value.hours);
}

interface BusyHour {
  readonly hour: number;
  readonly busyness_percent: number;
}

/** Formats how busy each hour of a day is as bars: `Mon  06–23 h  ▁▂▅█▅▂  busiest at 14:00 (93%)`. */
function busyLine({ day, hours }: Item): string {
  const sorted = [...(hours as readonly BusyHour[])].sort((a, b) => a.hour - b.hour);
  const [first, last] = [sorted[0], sorted.at(-1)];
  if (first === undefined || last === undefined) return `${dayName(day)}  –`;
  const two = (hour: number) => String(hour).padStart(2, '0');
  const chart = sorted.map((one) => bars[Math.min(7, Math.floor(one.busyness_percent / 12.5))]).join('');
  const busiest = sorted.reduce((most, one) => (one.busyness_percent > most.busyness_percent ? one : most));
  const peak =
    busiest.busyness_percent > 0 ? `  busiest at ${two(busiest.hour)}:00 (${busiest.busyness_percent}%)` : '';
  return `${dayName(day)}  ${two(first.hour)}–${two(last.hour)} h  ${chart}${peak}`;
}

function isSection(value: Item): boolean {
  return typeof value.section === 'string' && Array.isArray(value.attributes);
}

function sectionLine({ section, attributes }: Item): string {
  const words = (attributes as readonly Item[]).map(({ name, available }) =>
    available === false ? `no ${printableLine(String(name))}` : printableLine(String(name)),
  );
  return `${printableLine(String(section))}: ${words.join(', ')}`;
}

/**
 * Formats the lists of a place that have their own layout (hours, busy hours, the About tab). Null for any other value.
 */
export function placeLines(value: unknown): string[] | null {
  if (!areItems(value)) return null;
  if (value.every(isPeriod)) return openingLines(value);
  if (value.every(isBusyDay)) return value.map(busyLine);
  return value.every(isSection) ? value.map(sectionLine) : null;
}

/** Formats coordinates, north first; null for any other value. A ten-thousandth of a degree is eleven metres. */
export function coordinates(value: unknown): string | null {
  if (!isRecord(value) || Object.keys(value).join() !== 'lat,lng') return null;
  const { lat, lng } = value as { readonly lat: unknown; readonly lng: unknown };
  if (typeof lat !== 'number' || typeof lng !== 'number') return null;
  return `${lat.toFixed(5)}, ${lng.toFixed(5)}`;
}
