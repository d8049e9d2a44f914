import { detailsWithin, docsBaseOf, ExtractError, nextOf, problemOf } from '../errors/extract-error.js';
import { ErrorRoute, outcomes } from '../errors/outcomes.js';
import type { PageItemSource } from '../read/item-source.js';
import type { Json } from '../read/json.js';
import type { Attempt, PageSession } from '../web/page-source.js';
import { MissingClaim } from './missing-claim.js';
import type { ReadContext } from './reading.js';
import type { ResolveContext, Route, RouteContext } from './route.js';

/** The order of routes down a ladder. */
export interface Walk<Identity, Answer> {
  /** In order of preference. */
  readonly routes: readonly Route<Identity, Answer>[];
  /** Routes that only confirm that a subject is missing: they return if it exists, and throw not found otherwise. */
  readonly witnesses?: readonly Route<Identity, unknown>[];
  /** True for a failure that proves that the subject exists; a later “not found” is then not believed. */
  readonly exists?: (error: ExtractError) => boolean;
  /** The route whose failure is reported if none answers; by default the first that failed. */
  readonly tells?: Route<Identity, Answer>;
  /** Number of sources that must agree if none is proof alone; 2 by default. */
  readonly agreeing?: number;
  /** The error for a subject that one source calls missing and no second one confirms. */
  readonly unconfirmed?: (identity: Identity) => ExtractError;
  /** The error for a subject that a source claims is missing and a witness knows. */
  readonly withheld?: (identity: Identity) => ExtractError;
}

/** The routes of an endpoint. */
export interface Steps<Identity, Answer, Subject> extends Walk<Subject, Answer> {
  /** Converts the parameters to the subject of the routes, such as a short link to an ID. */
  readonly resolve?: (identity: Identity, session: PageSession, context: ResolveContext) => Promise<Subject>;
  /** The routes in a browser; by default the plain routes. */
  readonly browser?: readonly Route<Subject, Answer>[];
}

/** What every route of a walk receives. */
export interface RouteRequest<Identity> extends RouteContext<Identity> {
  /** Surfaces that refused within the hour; their routes come after the others. */
  readonly refusedLately: readonly string[];
}

export interface Walked<Identity, Answer> {
  readonly answer: Answer;
  readonly route: Route<Identity, Answer>;
  /** Routes that were tried before and failed. */
  readonly failed: readonly Route<Identity, Answer>[];
}

/** True for an action of the platform, not a bug or a caller's mistake. */
export const isOutcome = (error: unknown): error is ExtractError =>
  error instanceof ExtractError && (error.type === 'platform' || error.type === 'not_found');

/** “Not found”; its route determines what that is worth. */
const saysMissing = (error: ExtractError) => error.type === 'not_found' && error.code !== 'account_private';

/** The name of a route's page in answers. In a browser there is one page, whichever route opened it. */
export const pageName = (route: Pick<Route<never, unknown>, 'name'>, { runsPages }: PageSession) =>
  runsPages === true ? 'browser' : route.name;

function attemptOf(route: Route<never, unknown>, session: PageSession, error: unknown): Attempt {
  const name = pageName(route, session);
  const surface = session.runsPages === true ? 'browser' : route.surface;
  if (error === undefined) return { route: name, surface, outcome: 'answered' };
  const { code, retryAfter, scope } = error as ExtractError;
  return {
    ...{ route: name, surface, outcome: code, cause: problemOf(error as ExtractError) },
    ...(retryAfter === undefined ? {} : { retryAfter }),
    ...(error instanceof ErrorRoute ? { subject: error.subject } : {}),
    ...(scope === 'subject' ? {} : { scope }),
  };
}

/** Returns what the routes receive. `source` says where a known subject is. */
export async function requestTo<Identity, Subject>(
  resolve: Steps<Identity, unknown, Subject>['resolve'],
  { identity, limit, session, overrides = null, refusedLately = [] }: Omit<ReadContext<Identity>, 'position'>,
  part: Json,
  source?: PageItemSource,
): Promise<RouteRequest<Subject>> {
  const subject = await (resolve?.(identity, session, { part, overrides, source }) ??
    (identity as unknown as Subject));
  return { identity: subject, limit, part, session, overrides, refusedLately };
}

/** The routes of this session: plain ones, or those of a browser. */
export const routesIn = <Answer, Subject>(
  { browser, routes }: Steps<never, Answer, Subject>,
  { runsPages }: PageSession,
) => (runsPages === true ? (browser ?? routes) : routes);

/** Uses one route and reports the outcome to the session. */
export async function ask<Identity, Answer>(
  route: Route<Identity, Answer>,
  { session, ...request }: RouteContext<Identity>,
): Promise<Answer> {
  const context: RouteContext<Identity> = { ...request, session: onSurface(session, route.surface) };
  try {
    const answer = await route.read(context);
    session.report?.(attemptOf(route, session, undefined));
    return answer;
  } catch (error) {
    if (isOutcome(error)) session.report?.(attemptOf(route, session, error));
    throw error;
  }
}

const onSurface = (session: PageSession, surface: string): PageSession => ({
  ...(session.runsPages === undefined ? {} : { runsPages: session.runsPages }),
  fetch: (request) => session.fetch({ surface, ...request }),
  cookie: (url, name) => session.cookie(url, name),
  report: (attempt) => session.report?.(attempt),
  end: (error) => error,
});

/** Moves routes whose surface refused within the hour to the end. */
export function inOrder<R extends { readonly surface: string }>(
  routes: readonly R[],
  refusedLately: readonly string[],
) {
  const isLate = ({ surface }: R) => refusedLately.includes(surface);
  return [...routes.filter((route) => !isLate(route)), ...routes.filter(isLate)];
}

/** Returns the failure to report, with what the other routes did. */
function endOf<Identity, Answer>(
  { routes, tells }: Walk<Identity, Answer>,
  failures: ReadonlyMap<Route<Identity, Answer>, ExtractError>,
): ExtractError {
  const failed = routes.filter((route) => failures.has(route));
  const causes = failed.map((route) => failures.get(route) as ExtractError);
  const first = (tells && failures.get(tells)) ?? causes[0];
  if (first === undefined) throw new TypeError('A ladder has at least one route.');
  const names = new Map<string, string[]>();
  for (const [index, { name }] of failed.entries()) {
    const problem = problemOf(causes[index] as ExtractError);
    names.set(problem, [...(names.get(problem) ?? []), name]);
  }
  if (names.size === 1) return first;
  const main = problemOf(first);
  names.delete(main);
  const others = [...names].map(([problem, routes]) => `${routes.join(', ')}: ${problem}`);
  const details = detailsWithin(first, first.requestId, docsBaseOf(first));
  // The platform's own error page is no answer about the subject, and a request to slow down is about the address.
  const answeredElsewhere =
    causes.some(
      (error) => error.code === outcomes.subject_without_data.code && !(error instanceof ErrorRoute),
    ) && causes.every(({ code }) => code !== outcomes.slow_down.code);
  return first.again([main, ...others].join(' '), { ...details, next: nextOf(first), answeredElsewhere });
}

const withheldHere = () =>
  new ExtractError('platform_restricted', 'It exists, but the platform does not show it here.');

type Verdict = 'missing' | 'exists' | 'unknown';

/** Queries witnesses until enough of them call the subject missing, or one knows it. */
async function verdictOf<Identity>(
  witnesses: readonly Route<Identity, unknown>[],
  required: number,
  request: RouteRequest<Identity>,
): Promise<Verdict> {
  let saying = 0;
  // Requests no witness if there are too few.
  for (const witness of witnesses.length < required ? [] : witnesses) {
    try {
      await ask(witness, request);
      return 'exists';
    } catch (error) {
      if (!isOutcome(error)) throw error;
      if (saysMissing(error)) saying += 1;
      if (saying >= required) return 'missing';
    }
  }
  return 'unknown';
}

/**
 * Uses the routes in order until one answers. A refusal, a restriction or a changed page leads to the next one. Private
 * accounts end the walk, and so does a refusal of the address. “Not found” ends it if its route is proof, or if enough
 * routes and witnesses agree. If no route answers, the error is the first cause, with what each route did.
 */
export async function walk<Identity, Answer>(
  ladder: Walk<Identity, Answer>,
  request: RouteRequest<Identity>,
): Promise<Walked<Identity, Answer>> {
  const { witnesses = [], exists = () => false, agreeing = 2, unconfirmed } = ladder;
  const routes = ladder.routes.filter((route) => route.applies?.(request.identity) !== false);
  const failures = new Map<Route<Identity, Answer>, ExtractError>();
  let verdict: Verdict | undefined;
  let missing: ExtractError | undefined;
  let saying = 0;
  let existing: ExtractError | undefined;
  for (const route of inOrder(routes, request.refusedLately)) {
    try {
      return { answer: await ask(route, request), route, failed: [...failures.keys()] };
    } catch (error) {
      if (!isOutcome(error) || error.code === 'account_private') throw error;
      if (error instanceof MissingClaim) {
        verdict ??= await verdictOf(witnesses, 1, request);
        if (verdict === 'missing') throw error;
        if (verdict === 'exists') failures.set(route, ladder.withheld?.(request.identity) ?? withheldHere());
        missing ??= error;
      } else if (saysMissing(error)) {
        missing ??= error;
        saying += 1;
        const isProven = route.missing !== 'witness' || saying >= agreeing;
        if (existing === undefined && isProven) throw missing;
      } else {
        failures.set(route, error);
        if (error.scope === 'address') throw endOf(ladder, failures);
        if (exists(error)) existing ??= error;
      }
    }
  }
  if (existing !== undefined || missing === undefined) throw endOf(ladder, failures);
  verdict ??= await verdictOf(witnesses, Math.max(1, agreeing - saying), request);
  if (verdict === 'missing') throw missing;
  if (failures.size > 0) throw endOf(ladder, failures);
  throw (
    unconfirmed?.(request.identity) ??
    new ExtractError(
      'platform_unavailable',
      `One route reports this as missing, but no other route confirms it: ${problemOf(missing)}`,
    )
  );
}
