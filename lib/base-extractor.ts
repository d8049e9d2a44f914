import type { CacheStore } from './cache/cache.js';
import { type Caller, call } from './call/call.js';
import { type Answer, type Envelope, envelope } from './call/envelope.js';
import { type Config, readConfig } from './config.js';
import type { Endpoint, FunctionOptions } from './endpoint.js';
import { invalidParameter } from './errors/extract-error.js';
import type { Ledger } from './ledger/ledger.js';
import { localAccount } from './ledger/ledger.js';
import { baseUrlOf } from './remote/base-url.js';
import { readLogin } from './remote/login.js';
import type { KnownItems } from './routes/reading.js';
import { systemClock } from './runtime/clock.js';
import { makeOnce } from './runtime/make-once.js';
import { newRequestId } from './runtime/request-id.js';
import { openServices } from './services.js';
import type { VisitCounts } from './web/browser/visits.js';
import type { PageEvidence } from './web/page-evidence.js';

/** Options of a call in addition to its parameters. */
export interface AnswerOptions extends FunctionOptions {
  /** Parameter values come as text. */
  readonly texts?: boolean | undefined;
  /**
   * Charges the call under this ID, and resumes what an earlier process started under it. The ID must be unique for
   * ever. By default the call gets a new one.
   */
  readonly resumes?: string | undefined;
  /** True if the next page will be requested immediately after this one. */
  readonly readsOn?: boolean | undefined;
  /** Items of a list that need not be completed from their own pages. A server completes them all. */
  readonly knownItems?: KnownItems | undefined;
}

/** Runs any endpoint over one data directory, with one cache and one pace. */
export interface BaseExtractor {
  /** Its settings, including those from the environment and the defaults. */
  readonly config: Config;
  /** Runs any endpoint. */
  run<Input, Data>(
    endpoint: Endpoint<Input, Data>,
    params: Input,
    options?: FunctionOptions,
  ): Promise<Envelope<Data>>;
  /** Runs any endpoint; the data stays JSON text. */
  answer(
    endpoint: Endpoint,
    params: Readonly<Record<string, unknown>>,
    options?: AnswerOptions,
  ): Promise<Answer>;
  /** The ledger: balance, past calls, purchased credits. */
  ledger(): Promise<Ledger>;
  /** The cached answers. */
  cache(): Promise<CacheStore>;
  /** Browser visits: open now, and since the start. */
  browserVisits(): VisitCounts;
  /**
   * Surfaces of the endpoint's platform that refused this data directory within the hour; none if a server makes the
   * requests.
   * @internal
   */
  refusedLately(endpoint: Pick<Endpoint, 'site'>): Promise<readonly string[]>;
  /** Waits for running calls and pending writes, then closes files and connections. */
  close(): Promise<void>;
}

/** Callbacks of an extractor. */
export interface ExtractorOptions {
  /**
   * Receives problems that do not fail a call, such as an unusable cache file. By default they are Node.js warnings.
   */
  readonly onWarning?: ((warning: Error) => void) | undefined;
  /** Stores each page that is read, with its request. Answers then never come from a server or the cache. */
  readonly evidence?: PageEvidence | undefined;
}

/** Returns the settings with the server and key from `extract login`, unless they are set. */
function withLogin(config: Config, evidence: PageEvidence | undefined): Config {
  // Saved, replayed and archived pages are read by this process.
  if (config.fromPages !== undefined || config.savePages !== undefined || evidence !== undefined) {
    return { ...config, baseUrl: undefined, apiKey: undefined };
  }
  if (config.baseUrl !== undefined && config.apiKey !== undefined) return config;
  const login = readLogin(config.home);
  const isFor = config.baseUrl === undefined || baseUrlOf(config.baseUrl) === login?.baseUrl;
  // A key is only sent to its own server.
  return login !== null && isFor
    ? { ...config, baseUrl: login.baseUrl, apiKey: config.apiKey ?? login.apiKey }
    : config;
}

/**
 * Checks parameters from untyped callers. Without any, returns an empty object, so that the error names the missing
 * ones.
 */
function objectOfParams(params: unknown): Readonly<Record<string, unknown>> {
  if (params === undefined || params === null) return {};
  if (typeof params === 'object' && !Array.isArray(params))
    return params as Readonly<Record<string, unknown>>;
  throw invalidParameter("Parameters must be an object, such as { username: 'nasa' }.");
}

/** Creates an extractor without the endpoints' functions. Throws `invalid_parameter` for an invalid setting. */
export function createBaseExtractor(
  config: Partial<Config> = {},
  { onWarning, evidence }: ExtractorOptions = {},
): BaseExtractor {
  const settings = withLogin(readConfig(config), evidence);
  const services = openServices(settings, {
    evidence,
    onCacheFault: onWarning && ((fault) => fault === null || onWarning(fault)),
  });
  const { baseUrl } = settings;
  const open = async (url: string) => {
    const { openRemote } = await import('./remote/remote.js');
    return openRemote({ ...settings, baseUrl: url }, systemClock);
  };
  const remote = baseUrl === undefined ? null : makeOnce(() => open(baseUrl));
  const caller = ({ resumes, readsOn, knownItems }: AnswerOptions): Caller => ({
    requestId: resumes ?? newRequestId(),
    account: localAccount,
    resumes: resumes !== undefined,
    readsOn,
    knownItems,
  });
  const pendingAnswers = new Set<Promise<unknown>>();
  const extractor: BaseExtractor = {
    config: settings,
    async run(endpoint, params, options) {
      return envelope(await extractor.answer(endpoint as Endpoint, objectOfParams(params), options));
    },
    async answer(endpoint, params, options) {
      const answer =
        remote === null
          ? call(endpoint, params, services, caller(options ?? {}), options)
          : remote.get().then((server) => server.answer(endpoint, params, options));
      pendingAnswers.add(answer);
      try {
        return await answer;
      } finally {
        pendingAnswers.delete(answer);
      }
    },
    ledger: async () => (remote === null ? services.ledger : (await remote.get()).ledger),
    cache: async () => services.cache,
    browserVisits: () => services.browserVisits(),
    refusedLately: async ({ site }) =>
      remote === null ? ((await (await services.pages()).refusedLately?.(site)) ?? []) : [],
    async close() {
      await Promise.allSettled(pendingAnswers);
      const server = await remote?.take()?.catch(() => undefined);
      await Promise.all([services.close(), server?.close()]);
    },
  };
  return extractor;
}

let shared: BaseExtractor | undefined;

/** Returns the extractor that the bare functions share, created on the first call from the environment. */
export function defaultExtractor(): BaseExtractor {
  shared ??= createBaseExtractor();
  return shared;
}
