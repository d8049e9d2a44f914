import { call, type Services } from '../../lib/call/call.js';
import type { Answer } from '../../lib/call/envelope.js';
import type { Config } from '../../lib/config.js';
import type { Endpoint } from '../../lib/endpoint.js';
import { type ErrorCode, ExtractError } from '../../lib/errors/extract-error.js';
import type { LedgerDatabase } from '../../lib/ledger/sqlite/sqlite-ledger.js';
import type { Platform } from '../../lib/web/page-source.js';
import type { JobStore } from './job.js';
import { JobResults } from './results/job-results.js';
import { ResultsFiles } from './results/results-files.js';
import { Sweeper } from './results/sweeper.js';
import { reservedLedger } from './runner/reserved-ledger.js';
import type { CallFunction } from './runner/run-input.js';
import { Runner } from './runner/runner.js';
import { becomeOnlyRunner } from './runner/single-runner.js';
import { SqliteJobs } from './sqlite/sqlite-jobs.js';
import { Deliverer } from './webhooks/deliverer.js';
import { createSender } from './webhooks/sender.js';
import { SqliteWebhooks } from './webhooks/sqlite/sqlite-webhooks.js';
import { type Resolve, Targets } from './webhooks/targets.js';

export interface JobsOptions {
  readonly books: LedgerDatabase;
  readonly services: Services;
  readonly config: Pick<Config, 'home' | 'concurrency' | 'cooldownMs' | keyof ProxyOnly>;
  readonly endpoints: readonly Endpoint[];
  /** Hosts, addresses and ranges that webhooks may be sent to beside public ones. */
  readonly webhookAllow: readonly string[];
  /** Told of what stands in the way of a job; its id is empty where it is all of them. */
  readonly troubled: (job: string, cause: unknown) => void;
  /** In place of the road of every call. */
  readonly ask?: CallFunction | undefined;
  /** In place of the system's resolver. */
  readonly resolve?: Resolve;
  /** Certificates that webhook receivers are held against in place of the usual ones. */
  readonly ca?: string | undefined;
  readonly files?: ResultsFiles;
  /** Told of every call for an input that was answered, with the seconds it took, and of every one that failed. */
  readonly answered?: (endpoint: Endpoint, answer: Answer, seconds: number) => void;
  readonly refused?: (endpoint: Endpoint, code: ErrorCode) => void;
}

type ProxyOnly = Pick<Config, 'httpsProxy' | 'httpProxy' | 'noProxy'>;

/** Everything about jobs, of one data directory. */
export interface Jobs {
  readonly store: JobStore;
  readonly webhooks: SqliteWebhooks;
  readonly results: JobResults;
  readonly endpoints: readonly Endpoint[];
  /** Rejects `webhook_url_not_allowed`. */
  checkTarget(url: string): Promise<void>;
  /** Something is to be done: a job was made or cancelled, a delivery asked for. */
  look(): void;
  /** Begins to work, as soon as no other process does. */
  start(): void;
  stop(): Promise<void>;
}

/** Inputs under way for each request that a platform takes at once: so that none waits for a disk. */
const inputsPerRequest = 3;
/** At least so many: what hangs or waits must not hold up the others. */
const leastSlots = 4;
/** Milliseconds between tries to begin where something stands in the way. */
const beginAgain = 5000;

/** The same, counted by those who watch. */
function counted(ask: CallFunction, { answered, refused, services: { clock } }: JobsOptions): CallFunction {
  return async (endpoint, params, caller, signal) => {
    const began = clock.now();
    try {
      const answer = await ask(endpoint, params, caller, signal);
      answered?.(endpoint, answer, (clock.now() - began) / 1000);
      return answer;
    } catch (error) {
      if (error instanceof ExtractError) refused?.(endpoint, error.code);
      throw error;
    }
  };
}

export function openJobs(options: JobsOptions): Jobs {
  const { books, services, config, endpoints, troubled } = options;
  const { clock, docsBase } = services;
  const store = new SqliteJobs(books, clock);
  const webhooks = new SqliteWebhooks(books, clock);
  const files = options.files ?? new ResultsFiles(config.home);
  const targets = new Targets(options.webhookAllow, options.resolve);
  const sender = createSender({ targets, clock, proxy: config, ca: options.ca });
  const deliverer = new Deliverer({ store: webhooks, sender, clock, troubled });
  const reserved: Services = { ...services, ledger: reservedLedger(services.ledger) };
  const road: CallFunction = (endpoint, params, caller, signal) =>
    call(endpoint, params, reserved, caller, { texts: true, signal });
  const ask = counted(options.ask ?? road, options);
  const slots = (platform: Platform) => {
    const site = endpoints.find((endpoint) => endpoint.platform === platform)?.site;
    const atOnce = config.concurrency[platform] ?? site?.pace.concurrency ?? 1;
    return Math.max(leastSlots, atOnce * inputsPerRequest);
  };
  const { cooldownMs } = config;
  const finished = () => deliverer.look();
  const runner = new Runner({
    ...{ store, files, clock, docsBase, endpoints, ask, slots, cooldownMs, finished, troubled },
  });
  const sweeper = new Sweeper(store, files, clock, troubled);
  const stopping = new AbortController();
  let begun: Promise<void> | undefined;
  let letGo: () => void = () => undefined;
  let working = false;
  const begin = async () => {
    while (!working && !stopping.signal.aborted) {
      try {
        await files.prepare();
        letGo = await becomeOnlyRunner(files.folder, clock, stopping.signal);
        runner.start();
        deliverer.look();
        sweeper.start();
        working = true;
      } catch (cause) {
        letGo();
        letGo = () => undefined;
        if (stopping.signal.aborted) return;
        // A folder that cannot be made or locked now: nobody works on the jobs without the lock.
        troubled('', cause);
        await clock.sleep(beginAgain, stopping.signal).catch(() => undefined);
      }
    }
  };
  return {
    store,
    webhooks,
    results: new JobResults(store, files, (id) => runner.moved(id), clock),
    endpoints,
    checkTarget: (url) => targets.check(url),
    look() {
      if (!working) return;
      runner.look();
      deliverer.look();
    },
    start() {
      begun ??= begin();
    },
    async stop() {
      stopping.abort(new DOMException('The server stops.', 'AbortError'));
      await begun;
      await Promise.all([runner.stop(), deliverer.stop(), sweeper.stop()]);
      letGo();
    },
  };
}
