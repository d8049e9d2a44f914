import type { Route } from './route.js';
import { inOrder } from './walk.js';

export type Requests = Readonly<Record<string, number>>;

/** The requests of a call: if the first routes answer, and at most. */
export interface CallRequests {
  readonly expected: Requests;
  readonly most: Requests;
}

type AnyRoute = Route<never, unknown>;

/** A route that fills fields that earlier routes lack. */
interface Completing {
  readonly route: AnyRoute;
  readonly fields: readonly string[];
}

interface Steps {
  readonly routes: readonly AnyRoute[];
  readonly completing: readonly Completing[];
  /** Used for each item of a list. */
  readonly items: readonly Completing[];
  readonly witnesses: readonly AnyRoute[];
}

class Sum {
  readonly bySurface: Record<string, number> = {};

  add({ surface, requests = 1, rows = Number.POSITIVE_INFINITY }: AnyRoute, items = 1, times = 1): void {
    const count = requests * Math.max(1, Math.ceil(items / rows)) * times;
    this.bySurface[surface] = (this.bySurface[surface] ?? 0) + count;
  }
}

/**
 * Returns the number of requests of a call for this many items. Fields that no route so far fills for every subject
 * need another request. Routes whose surface refused within the hour are assumed to be skipped.
 */
export function requestsOf(
  { routes, completing, items, witnesses }: Steps,
  limit: number,
  refusedLately: readonly string[] = [],
): CallRequests {
  const [expected, most] = [new Sum(), new Sum()];
  const [first] = inOrder(routes, refusedLately);
  const listed = Math.min(limit, first?.holds ?? limit);
  const answering = first === undefined ? [] : [first];
  const isLacking = (fields: readonly string[]) =>
    fields.some((field) => answering.every(({ fills }) => fills?.[field] !== undefined));
  if (first !== undefined) expected.add(first, limit);
  for (const [list, times, mostTimes] of [
    [completing, 1, 1],
    [items, listed, limit],
  ] as const) {
    for (const { route, fields } of list) {
      if (!routes.includes(route)) most.add(route, 1, mostTimes);
      const isLate = refusedLately.includes(route.surface);
      if (isLate || answering.includes(route) || !isLacking(fields)) continue;
      expected.add(route, 1, times);
      answering.push(route);
    }
  }
  for (const route of new Set([...routes, ...witnesses])) most.add(route, limit);
  return { expected: expected.bySurface, most: most.bySurface };
}
