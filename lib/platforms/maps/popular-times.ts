import { countOrNull } from '../../read/convert.js';
import { at, listAt } from '../../read/json.js';
import type { MapsPlaceDetail } from './objects.js';
import { place } from './paths.js';

type PopularTimes = NonNullable<MapsPlaceDetail['popular_times']>;

function hoursOf(entries: readonly unknown[]): PopularTimes[number]['hours'] {
  const hours: PopularTimes[number]['hours'] = [];
  for (const entry of entries) {
    const hour = countOrNull(at(entry, 0));
    const percent = countOrNull(at(entry, 1));
    if (hour !== null && percent !== null && hour < 24 && percent <= 100) {
      hours.push({ hour, busyness_percent: percent });
    }
  }
  return hours;
}

/**
 * Reads how busy a place usually is: [1 Monday … 7 Sunday, [[hour, percent, …]…], …] per day, Sunday first. Null
 * without any number.
 */
export function popularTimes(node: unknown): PopularTimes | null {
  const days: PopularTimes = [];
  for (const entry of listAt(node, ...place.popularTimes)) {
    const number = countOrNull(at(entry, 0));
    if (number === null || number < 1 || number > 7) continue;
    days.push({ day: number % 7, hours: hoursOf(listAt(entry, 1)) });
  }
  return days.some(({ hours }) => hours.length > 0) ? days : null;
}
