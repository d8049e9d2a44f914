import type { CacheStore } from './cache/cache.js';
import { type Caller, call } from './call/call.js';
import { type Answer, type Envelope, envelope } from './call/envelope.js';
import { type Config, readConfig } from './config.js';
import type { Endpoint, FunctionOptions } from './endpoint.js';
import { ExtractError } from './errors/extract-error.js';
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
import type { PageArchive } from './web/page-archive.js';

/** Options of a call beside its parameters. */
export interface AnswerOptions extends FunctionOptions {
  /** Parameter values come as text. */
  readonly texts?: boolean | undefined;
  /**
   * Charges the call under this id, and takes up what an ended process began under it. The caller vouches that the id
   * is unique for ever. Without it the call gets an id of its own.
   */
  readonly resumes?: string | undefined;
  /** The next page is asked for as soon as this one is there. */
  readonly readsOn?: boolean | undefined;
  /** Items of a list that need not be completed from their own pages. A server completes them all. */
  readonly known?: KnownItems | undefined;
}

/** Runs any endpoint over one data directory, one cache and one pace. */
export interface BaseExtractor {
  /** The settings it runs with, those of the environment and the defaults included. */
  readonly config: Config;
  /** Runs any row of the table. */
  run<Input, Data>(
    endpoint: Endpoint<Input, Data>,
    params: Input,
    options?: FunctionOptions,
  ): Promise<Envelope<Data>>;
  /** The same with the data still serialised. */
  answer(
    endpoint: Endpoint,
    params: Readonly<Record<string, unknown>>,
    options?: AnswerOptions,
  ): Promise<Answer>;
  /** The books: balance, past calls, credits that come in. */
  ledger(): Promise<Ledger>;
  /** The kept answers. */
  cache(): Promise<CacheStore>;
  /** Visits of the browser: under way, and since the start. */
  browserVisits(): VisitCounts;
  /**
   * Surfaces of the endpoint's platform that refused this data directory within the hour; none where a server asks.
   * @internal
   */
  refusedLately(endpoint: Pick<Endpoint, 'site'>): Promise<readonly string[]>;
  /** Waits for the calls under way, finishes what is being written, and lets go of files and connections. */
  close(): Promise<void>;
}

/** Events that an extractor reports beside its answers. */
export interface ExtractorOptions {
  /** Receives faults that do not fail a call, such as an unusable cache file. Without it Node.js warns. */
  readonly onWarning?: ((warning: Error) => void) | undefined;
  /** Keeps each page that is read, and what was asked for. Answers are then never those of a server or the cache. */
  readonly archive?: PageArchive | undefined;
}

/** The server and key to ask: those that are set, or those that the data directory is logged in with. */
function withLogin(config: Config, archive: PageArchive | undefined): Config {
  // Pages are read here by whoever keeps or replays them.
  if (config.fromPages !== undefined || config.savePages !== undefined || archive !== undefined) {
    return { ...config, baseUrl: undefined, apiKey: undefined };
  }
  if (config.baseUrl !== undefined && config.apiKey !== undefined) return config;
  const login = readLogin(config.home);
  const isFor = config.baseUrl === undefined || baseUrlOf(config.baseUrl) === login?.baseUrl;
  // A key is sent to the server it was made for, and to no other.
  return login !== null && isFor
    ? { ...config, baseUrl: login.baseUrl, apiKey: config.apiKey ?? login.apiKey }
    : config;
}

/** The parameters of a caller whom no compiler checks. None at all are an object without any: what is missing is named. */
function givenParams(params: unknown): Readonly<Record<string, unknown>> {
  if (params === undefined || params === null) return {};
  if (typeof params === 'object' && !Array.isArray(params))
    return params as Readonly<Record<string, unknown>>;
  throw new ExtractError('invalid_parameter', "Parameters are an object, such as { username: 'nasa' }.");
}

/** Makes an extractor without the table's functions. Throws `invalid_parameter` for a wrong setting. */
export function createBaseExtractor(
  config: Partial<Config> = {},
  { onWarning, archive }: ExtractorOptions = {},
): BaseExtractor {
  const settings = withLogin(readConfig(config), archive);
  const services = openServices(settings, {
    archive,
    onCacheFault: onWarning && ((fault) => fault === null || onWarning(fault)),
  });
  const { baseUrl } = settings;
  const open = async (url: string) => {
    const { openRemote } = await import('./remote/remote.js');
    return openRemote({ ...settings, baseUrl: url }, systemClock);
  };
  const remote = baseUrl === undefined ? null : makeOnce(() => open(baseUrl));
  const caller = ({ resumes, readsOn, known }: AnswerOptions): Caller => ({
    requestId: resumes ?? newRequestId(),
    account: localAccount,
    resumes: resumes !== undefined,
    readsOn,
    known,
  });
  const underWay = new Set<Promise<unknown>>();
  const extractor: BaseExtractor = {
    config: settings,
    async run(endpoint, params, options) {
      return envelope(await extractor.answer(endpoint as Endpoint, givenParams(params), options));
    },
    async answer(endpoint, params, options) {
      const answer =
        remote === null
          ? call(endpoint, params, services, caller(options ?? {}), options)
          : remote.get().then((opened) => opened.answer(endpoint, params, options));
      underWay.add(answer);
      try {
        return await answer;
      } finally {
        underWay.delete(answer);
      }
    },
    ledger: async () => (remote === null ? services.ledger : (await remote.get()).ledger),
    cache: async () => services.cache,
    browserVisits: () => services.browserVisits(),
    refusedLately: async ({ site }) =>
      remote === null ? ((await (await services.pages()).refusedLately?.(site)) ?? []) : [],
    async close() {
      await Promise.allSettled(underWay);
      const opened = await remote?.take()?.catch(() => undefined);
      await Promise.all([services.close(), opened?.close()]);
    },
  };
  return extractor;
}

let shared: BaseExtractor | undefined;

/** The extractor of the environment, which the bare functions run on: made at the first call. */
export function defaultExtractor(): BaseExtractor {
  shared ??= createBaseExtractor();
  return shared;
}
