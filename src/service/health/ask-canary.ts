import type { Services } from '../../../lib/call/call.js';
import { parseCallRequest } from '../../../lib/call/call-request.js';
import { type Question, readEndpoint } from '../../../lib/call/read-endpoint.js';
import type { Endpoint } from '../../../lib/endpoint.js';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import { type SeenPage, seenLine } from '../../../lib/errors/seen.js';
import type { Role, SubjectFacts } from '../../../lib/routes/rung.js';
import { CallAbort, type CallSignal } from '../../../lib/runtime/abort.js';
import { observeSession } from '../../../lib/web/observed-session.js';
import type { PageSource } from '../../../lib/web/page-source.js';
import { outcomeOf } from './call-outcome.js';
import { type Examined, examine, fieldsOf, type RouteResult } from './canary.js';
import { type CanarySession, canarySession } from './canary-session.js';
import type { ResolvedCanary } from './canary-set.js';

/** One route's response to a canary, with how many expected fields it has. */
export interface QueriedRoute {
  readonly role: Role;
  readonly result: RouteResult;
  /** Null if it returned no items. */
  readonly examined: Examined | null;
}

type Facts = Endpoint['routes'][number];

interface Visit extends CanarySession {
  readonly abort: CallAbort;
}

const browser: Facts = { name: 'browser', reads: '', surface: '', seen: { month: '', from: [] } };

/** Queries the routes of a canary's endpoint in one shared session. */
export class CanaryVisit {
  readonly #placed: ResolvedCanary;
  readonly #services: Services;
  readonly #pages: PageSource;
  readonly #signal: CallSignal | undefined;
  #visit: Visit | undefined;
  #known: SubjectFacts | null = null;

  constructor(placed: ResolvedCanary, services: Services, pages: PageSource, signal: CallSignal | undefined) {
    this.#placed = placed;
    this.#services = services;
    this.#pages = pages;
    this.#signal = signal;
  }

  ask(route: Facts): Promise<QueriedRoute> {
    const role = this.#placed.endpoint.roles[route.name] ?? 'answers';
    return this.#ask(route, role, this.#pages, { route: route.name, facts: this.#known });
  }

  askInBrowser(source: PageSource): Promise<QueriedRoute> {
    this.end();
    return this.#ask(browser, 'browser', source, undefined);
  }

  end(): void {
    const visit = this.#visit;
    this.#visit = undefined;
    visit?.session.end();
    visit?.abort.unlink();
  }

  #open(pages: PageSource): Visit {
    if (this.#visit === undefined) {
      const { site } = this.#placed.endpoint;
      const abort = new CallAbort(this.#signal);
      this.#visit = { ...canarySession(pages.open(site, abort), site), abort };
    }
    return this.#visit;
  }

  async #ask(route: Facts, role: Role, pages: PageSource, alone: Question['alone']): Promise<QueriedRoute> {
    const { canary, endpoint } = this.#placed;
    const { clock, deadlineMs, overrides, read = readEndpoint } = this.#services;
    const at = clock.now();
    const fields = fieldsOf(endpoint).filter((field) => route.fills?.[field] !== 'never');
    let counts = { requests: 0, bytes: 0 };
    let seenPages: () => readonly SeenPage[] = () => [];
    const about = () => ({
      ...{ route: route.name, fields: fields.length, ...counts, source: sourceIn(seenPages()) },
      seconds: Math.round((clock.now() - at) / 10) / 100,
    });
    let stopTimer = () => {};
    try {
      const { identity, limit } = parseCallRequest(endpoint, canary.params);
      const visit = this.#open(pages);
      counts = visit.begin();
      const observed = observeSession(visit.session, endpoint.site);
      seenPages = observed.pages;
      // An aborted session sends no more requests; the next route opens a new one.
      stopTimer = clock.alarm(deadlineMs, () => {
        visit.abort.abort(new ExtractError('platform_timeout'));
        this.end();
      });
      const { data, sources, next } = await read(endpoint, {
        ...{ identity, limit, position: null, session: observed.session, alone },
        overrides: (await overrides?.(endpoint.platform)) ?? null,
      });
      if (data === null) {
        return { role, examined: null, result: { ...about(), ...unasked } };
      }
      const items = [data].flat() as Readonly<Record<string, unknown>>[];
      const [item, source] = [items[0], sources?.[0]];
      if (item === undefined && !answers(role)) {
        return { role, examined: null, result: { ...about(), ...fine, filled: 0 } };
      }
      if (item !== undefined && source !== undefined) this.#known ??= { item, source, next: next ?? null };
      const examined = examine(canary, endpoint, items);
      const problems = [
        ...(answers(role) && examined.short !== null ? [examined.short] : []),
        ...[...examined.faults].flatMap(([field, fault]) => (holds(route, field) ? fault : [])),
      ];
      const outcome = problems.length === 0 ? 'ok' : 'incomplete';
      const filled = fields.filter((field) => examined.filled.has(field)).length;
      return { role, examined, result: { ...about(), outcome, code: null, problems, filled } };
    } catch (error) {
      this.#signal?.throwIfAborted();
      // A route that can only tell whether something exists has answered.
      const isExpected =
        fields.length === 0 && error instanceof ExtractError && error.code === 'platform_restricted';
      const outcome = isExpected ? fine : outcomeOfError(error, seenPages());
      return { role, examined: null, result: { ...about(), ...outcome, filled: 0 } };
    } finally {
      stopTimer();
    }
  }
}

const fine = { outcome: 'ok', code: null, problems: [] } as const;
const unasked = { outcome: 'unasked', code: null, problems: [], filled: 0 } as const;

/** True for a route that returns the object or the list itself. */
export const answers = (role: Role) => role === 'answers' || role === 'browser';

/** True if the route fills the field for every subject. */
function holds({ fills = {} }: Facts, field: string): boolean {
  const fill = fills[field.split('.', 1)[0] ?? ''];
  return fill !== 'never' && fill !== 'some';
}

function sourceIn(pages: readonly SeenPage[]): string {
  const last = pages.findLast(({ status }) => status !== null && status < 400);
  if (last === undefined) return '';
  const { host, pathname } = new URL(last.finalUrl ?? last.url);
  return `${host}${pathname}`;
}

function outcomeOfError(
  error: unknown,
  pages: readonly SeenPage[],
): Pick<RouteResult, 'outcome' | 'code' | 'problems'> {
  const fault = error instanceof ExtractError ? error : new ExtractError('internal_error', String(error));
  const outcome = outcomeOf(fault);
  return {
    outcome: outcome === null || outcome === 'answered' ? 'failed' : outcome,
    code: fault.code,
    problems: pages.length === 0 ? [fault.message] : [fault.message, `Seen: ${seenLine(pages)}`],
  };
}
