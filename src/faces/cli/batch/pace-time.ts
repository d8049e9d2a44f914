import type { Config } from '../../../../lib/config.js';
import type { Endpoint } from '../../../../lib/endpoint.js';
import type { Requests } from '../../../../lib/routes/requests.js';
import { hourMs } from '../../../../lib/runtime/clock.js';
import { gapOf } from '../../../../lib/web/gap.js';

/** Duration at the platform's pace, in milliseconds. */
export interface PaceTime {
  /** If the first route of each call answers. */
  readonly expected: number;
  /** If each call tries all of its routes. */
  readonly most: number;
}

function surfaceMs(count: number, { ms, perHour = Number.POSITIVE_INFINITY }: ReturnType<typeof gapOf>) {
  const fullHours = Math.max(0, Math.ceil(count / perHour) - 1);
  const inLastHour = count - fullHours * Math.min(perHour, count);
  return Math.max(count * ms, fullHours === 0 ? 0 : fullHours * hourMs + inLastHour * ms);
}

/**
 * Returns how long calls take at the platform's pace. Surfaces run concurrently, so the slowest counts. `limits` holds
 * the number of items of each call; surfaces that refused within the last hour are skipped. Undefined if a server sets
 * the pace.
 */
export function paceTime(
  { site, page, requests }: Pick<Endpoint, 'site' | 'page' | 'requests'>,
  { baseUrl, paceMs }: Pick<Config, 'baseUrl' | 'paceMs'>,
  calls: number | ReadonlyMap<number, number>,
  refusedLately: readonly string[] = [],
): PaceTime | undefined {
  if (baseUrl !== undefined) return undefined;
  const byLimit = typeof calls === 'number' ? new Map([[page?.max ?? 1, calls]]) : calls;
  const timeOf = (which: keyof PaceTime) => {
    const sums = new Map<string, number>();
    for (const [limit, count] of byLimit) {
      const requestCounts: Requests = requests(limit, refusedLately)[which];
      for (const [surface, each] of Object.entries(requestCounts))
        sums.set(surface, (sums.get(surface) ?? 0) + count * each);
    }
    const gap = (surface: string) => gapOf(site, surface, { paceMs, concurrency: {} });
    return Math.max(0, ...[...sums].map(([surface, count]) => surfaceMs(count, gap(surface))));
  };
  return { expected: timeOf('expected'), most: timeOf('most') };
}
