import type { Attempt } from '../../../lib/web/page-source.js';

/** The results of a route in this server's calls. Times are milliseconds since 1970. */
export interface RouteCalls {
  /** When it last answered. Null if it has not since the start. */
  readonly answeredAt: number | null;
  /** The last failure since it answered. Null if there is none. */
  readonly failure: { readonly at: number; readonly code: string } | null;
}

/** Records the result of the last attempt at each route since this process started. */
export class RouteWatch {
  readonly #calls = new Map<string, Map<string, RouteCalls>>();

  /** Records an attempt at a route of the endpoint with this path. */
  note(path: string, { route, outcome }: Attempt, at: number): void {
    const routes = this.#calls.get(path) ?? new Map<string, RouteCalls>();
    this.#calls.set(path, routes);
    const answeredAt = routes.get(route)?.answeredAt ?? null;
    const now =
      outcome === 'answered'
        ? { answeredAt: at, failure: null }
        : { answeredAt, failure: { at, code: outcome } };
    routes.set(route, now);
  }

  /** The routes queried for the endpoint with this path, by name. */
  of(path: string): ReadonlyMap<string, RouteCalls> {
    return this.#calls.get(path) ?? new Map();
  }
}
