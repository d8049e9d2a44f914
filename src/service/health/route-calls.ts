import type { Attempt } from '../../../lib/web/page-source.js';

/** A route's results in this server's calls. Times are milliseconds since 1970. */
export interface RouteCalls {
  /** When it last answered since the start; null if it has not. */
  readonly answeredAt: number | null;
  /** The last failure since then; null for none. */
  readonly failure: { readonly at: number; readonly code: string } | null;
}

/** The last attempt at each route since this process started. */
export class RouteWatch {
  readonly #calls = new Map<string, Map<string, RouteCalls>>();

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

  of(path: string): ReadonlyMap<string, RouteCalls> {
    return this.#calls.get(path) ?? new Map();
  }
}
