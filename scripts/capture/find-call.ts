import type { Endpoint } from '../../lib/endpoint.js';
import { endpoints } from '../../lib/endpoints.js';
import { ExtractError } from '../../lib/errors/extract-error.js';
import type { PageSource } from '../../lib/web/page-source.js';
import { decodedBody } from '../../lib/web/routes.js';
import { type Exchange, type Outcome, recording, runCall } from './exchanges.js';

type Params = Readonly<Record<string, unknown>>;

/** A call that saved pages answer. */
export interface FoundCall {
  readonly endpoint: Endpoint;
  readonly params: Params;
  /** Pages of the answer that are read at most. */
  readonly maxPages: number;
  readonly exchanges: readonly Exchange[];
  readonly outcome: Outcome;
}

/** The part of a parameter that an address may hold, by the parameter's name. */
function valuesIn(url: URL): Record<string, string> {
  const query = url.searchParams;
  const whole = decodedBody(url.href);
  const feature = /0x[0-9a-f]+:0x[0-9a-f]+/.exec(whole)?.[0];
  const place = feature ? `https://www.google.com/maps?ftid=${feature}` : url.href;
  const tag = /\/(?:embed\/tag|popular)\/([^/]+)/.exec(url.pathname)?.[1];
  const account = /\/embed\/@([^/]+)/.exec(url.pathname)?.[1];
  const days = /^r(\d+)$/.exec(query.get('f_TPR') ?? '')?.[1];
  const workplaces: Readonly<Record<string, string>> = { '1': 'on_site', '2': 'remote', '3': 'hybrid' };
  const found = {
    url: account ? `https://${url.host}/@${account}` : place,
    profile_url: url.href,
    company_url: url.href,
    id: query.get('aweme_id'),
    tag: tag && decodeURIComponent(tag),
    query: query.get('keywords') ?? query.get('q') ?? (tag && `#${decodeURIComponent(tag)}`),
    location: query.get('location'),
    workplace_type: workplaces[query.get('f_WT') ?? ''],
    posted_within_days: days && Number(days) / 86_400,
    language: query.get('hl')?.slice(0, 2),
    country: query.get('gl'),
  };
  return Object.fromEntries(
    Object.entries(found).filter(([, value]) => value != null && value !== ''),
  ) as Record<string, string>;
}

/** The parameters with which an endpoint may have asked for an address. */
function candidates(endpoint: Endpoint, address: string, given: Params): Params[] {
  const values = valuesIn(new URL(address));
  const pair: readonly string[] = endpoint.exactlyOne ?? [];
  const common = Object.fromEntries(
    Object.entries(values).filter(([name]) => Object.hasOwn(endpoint.params, name) && !pair.includes(name)),
  );
  if (pair.some((name) => Object.hasOwn(given, name)) || pair.length === 0) return [{ ...common, ...given }];
  return pair.flatMap((name) =>
    values[name] === undefined ? [] : [{ ...common, [name]: values[name], ...given }],
  );
}

async function tryCall(
  endpoint: Endpoint,
  params: Params,
  source: PageSource,
  maxPages: number,
): Promise<FoundCall | null> {
  const exchanges: Exchange[] = [];
  try {
    const outcome = await runCall(endpoint, params, recording(source, exchanges), maxPages);
    return outcome.isStarved ? null : { endpoint, params, maxPages, exchanges, outcome };
  } catch (error) {
    // Parameters that the endpoint does not take: another candidate's turn.
    if (error instanceof ExtractError) return null;
    throw error;
  }
}

/**
 * The call that used the most of the saved pages. Where several endpoints read the same pages, `wanted` must say
 * which one is meant. `given` are parameters that the addresses do not tell.
 */
export async function findCall(
  saved: { readonly addresses: readonly string[]; open(): PageSource },
  wanted: string | null,
  given: Params,
  maxPages = Number.POSITIVE_INFINITY,
): Promise<FoundCall> {
  const tried = new Set<string>();
  const found: FoundCall[] = [];
  for (const endpoint of endpoints.filter(({ path }) => wanted === null || path === wanted)) {
    for (const address of saved.addresses) {
      for (const params of candidates(endpoint, address, given)) {
        const print = JSON.stringify([endpoint.path, params]);
        if (tried.has(print)) continue;
        tried.add(print);
        const call = await tryCall(endpoint, params, saved.open(), maxPages);
        if (call !== null) found.push(call);
      }
    }
  }
  const used = ({ exchanges }: FoundCall) => exchanges.filter(({ page }) => page !== null).length;
  const most = Math.max(...found.map(used));
  const best = found.filter((call) => used(call) === most);
  const [first] = best;
  if (first === undefined)
    throw new Error('No endpoint reads these pages: say --endpoint and --param name=value.');
  const paths = new Set(best.map(({ endpoint }) => endpoint.path));
  if (paths.size > 1)
    throw new Error(`Several endpoints read these pages: say --endpoint, one of ${[...paths].join(', ')}.`);
  return first;
}
