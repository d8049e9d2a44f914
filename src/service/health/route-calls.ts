import type { Attempt } from '../../../lib/web/page-source.js';

/** How a route did in the calls of this server. Times are milliseconds since 1970. */
export interface RouteCalls {
  /** When it last answered; null for never since the start. */
  readonly answeredAt: number | null;
  /** The last failure since it answered; null for none. */
  readonly failure: { readonly at: number; readonly code: string } | null;
}

/** How the routes did in the calls of this process since its start: what the last attempt at each came to. */
export class RouteWatch {
  readonly #calls = new Map<string, Map<string, RouteCalls>>();

  /** A call asked a route of the endpoint with this path. */
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

  /** The routes of the endpoint with this path that were asked, by their names. */
  of(path: string): ReadonlyMap<string, RouteCalls> {
    return this.#calls.get(path) ?? new Map();
  }
}
