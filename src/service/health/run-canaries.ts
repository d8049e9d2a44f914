import path from 'node:path';
import type { Services } from '../../../lib/call/call.js';
import type { Endpoint } from '../../../lib/endpoint.js';
import type { CallSignal } from '../../../lib/runtime/abort.js';
import type { PageSource } from '../../../lib/web/page-source.js';
import { answers, CanaryVisit, type QueriedRoute } from './ask-canary.js';
import { type CanaryResult, fieldsOf } from './canary.js';
import type { ResolvedCanary } from './canary-set.js';

export interface CanaryRunOptions {
  readonly services: Services;
  /** The folder for all pages, with a subfolder per endpoint. */
  readonly savePages?: string | undefined;
  readonly signal?: CallSignal | undefined;
  readonly onResult?: (placed: ResolvedCanary, result: CanaryResult) => void;
}

type Facts = Endpoint['routes'][number];

/**
 * Returns the routes of an endpoint for plain requests. A route that endpoints share is queried for one of them,
 * preferably one that it answers.
 */
export function routesAlone(endpoint: Endpoint, all: readonly Endpoint[]): readonly Facts[] {
  const ownerOf = (route: Facts) => {
    const candidates = all.filter(({ routes }) => routes.includes(route));
    return candidates.find(({ roles }) => roles[route.name] === 'answers') ?? candidates[0];
  };
  return endpoint.routes.filter(
    (route) => endpoint.roles[route.name] !== 'browser' && ownerOf(route) === endpoint,
  );
}

/** Combines the results of an endpoint's routes. A problem counts only if every answer has it. */
function together({ endpoint }: ResolvedCanary, results: readonly QueriedRoute[], at: number): CanaryResult {
  const routes = results.map(({ result }) => result);
  const seconds = Math.round(routes.reduce((sum, one) => sum + one.seconds, 0) * 100) / 100;
  const answersExamined = results.flatMap(({ examined }) => examined ?? []);
  const leading = results.filter(({ role }) => answers(role));
  const answered = leading.filter(({ examined }) => examined !== null);
  const fields = fieldsOf(endpoint);
  const [first] = answered;
  if (first === undefined) {
    const { outcome = 'failed', code = null, problems = [], source = '' } = leading[0]?.result ?? {};
    const reported = outcome === 'unasked' ? 'failed' : outcome;
    return {
      at,
      outcome: reported,
      code,
      problems,
      filled: 0,
      fields: fields.length,
      source,
      seconds,
      routes,
    };
  }
  const short = answered.every(({ examined }) => examined?.short !== null) ? first.examined?.short : null;
  const problems = [
    ...(short == null ? [] : [short]),
    ...[...(first.examined?.faults ?? [])].flatMap(([field, fault]) =>
      answersExamined.every(({ faults }) => faults.has(field)) ? fault : [],
    ),
  ];
  return {
    ...{ at, outcome: problems.length === 0 ? 'ok' : 'incomplete', code: null, problems },
    filled: fields.filter((field) => answersExamined.some(({ filled }) => filled.has(field))).length,
    ...{ fields: fields.length, source: first.result.source, seconds, routes },
  };
}

/** Runs one canary: each route alone, and a browser if none of them answers. */
async function ask(
  placed: ResolvedCanary,
  all: readonly Endpoint[],
  pages: PageSource,
  { services, signal }: CanaryRunOptions,
): Promise<CanaryResult> {
  const { endpoint } = placed;
  const { browser } = pages;
  const at = services.clock.now();
  const visit = new CanaryVisit(placed, services, pages, signal);
  const results = new Map<string, QueriedRoute>();
  const askAll = async (routes: readonly Facts[]) => {
    for (const route of routes) {
      signal?.throwIfAborted();
      results.set(route.name, await visit.ask(route));
    }
  };
  try {
    const routes = browser?.when === 'always' ? [] : routesAlone(endpoint, all);
    await askAll(routes);
    // A later route may have provided the input of an earlier one.
    await askAll(routes.filter(({ name }) => results.get(name)?.result.outcome === 'unasked'));
    const isAnswered = [...results.values()].some(({ role, examined }) => answers(role) && examined !== null);
    if (!isAnswered && browser !== undefined && browser.when !== 'never') {
      results.set('browser', await visit.askInBrowser(await browser.source()));
    }
  } finally {
    visit.end();
  }
  return together(placed, [...results.values()], at);
}

/**
 * Runs canaries at the platforms' pace: one after the other within a platform, platforms in parallel. Nothing is
 * charged or cached. Every canary has a result. Rejects only with the signal's reason, or if pages cannot be saved.
 */
export async function runCanaries(
  canaries: readonly ResolvedCanary[],
  options: CanaryRunOptions,
): Promise<readonly { readonly placed: ResolvedCanary; readonly result: CanaryResult }[]> {
  const { services, savePages: folder, signal, onResult } = options;
  const results = new Map<ResolvedCanary, CanaryResult>();
  const all = canaries.map(({ endpoint }) => endpoint);
  const save = folder === undefined ? undefined : (await import('../../../lib/web/save-pages.js')).savePages;
  const runPlatform = async (platform: string) => {
    const source = await services.pages();
    for (const placed of canaries.filter(({ endpoint }) => endpoint.platform === platform)) {
      signal?.throwIfAborted();
      const name = placed.endpoint.path.replace('/', '-');
      const pages = save === undefined ? source : save(source, path.join(folder ?? '', name));
      const result = await ask(placed, all, pages, options);
      results.set(placed, result);
      onResult?.(placed, result);
    }
  };
  await Promise.all([...new Set(canaries.map(({ endpoint }) => endpoint.platform))].map(runPlatform));
  return canaries.flatMap((placed) => {
    const result = results.get(placed);
    return result === undefined ? [] : [{ placed, result }];
  });
}
