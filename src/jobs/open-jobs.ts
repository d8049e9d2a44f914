import { call, type Services } from '../../lib/call/call.js';
import type { Answer } from '../../lib/call/envelope.js';
import type { Config } from '../../lib/config.js';
import type { Endpoint } from '../../lib/endpoint.js';
import { type ErrorCode, ExtractError } from '../../lib/errors/extract-error.js';
import type { Platform } from '../../lib/platforms.js';
import { elapsed } from '../../lib/runtime/clock.js';
import { inSpan } from '../../lib/runtime/span.js';
import type { JobStore, RunnerLock, RunnerStore } from './job-store.js';
import { FileResults } from './results/file-results.js';
import type { JobResults } from './results/job-results.js';
import { ResultDownloads } from './results/result-downloads.js';
import { fileLines, ResultsFiles } from './results/results-files.js';
import { Sweeper } from './results/sweeper.js';
import { reservedLedger } from './runner/reserved-ledger.js';
import type { CallFunction } from './runner/run-input.js';
import { Runner } from './runner/runner.js';
import { type ReadKeyState, Scheduler } from './schedules/scheduler.js';
import type { Schedules } from './schedules/schedules.js';
import { Deliverer } from './webhooks/deliverer.js';
import { createSender } from './webhooks/sender.js';
import { type Resolve, Targets } from './webhooks/targets.js';
import type { Webhooks } from './webhooks/webhooks.js';

/** What is asked and told about jobs. */
export interface JobPorts {
  readonly jobs: JobStore;
  readonly webhooks: Webhooks;
  readonly schedules: Schedules;
}

/** The stores of a data directory that its jobs need. */
export interface JobStores extends JobPorts {
  readonly jobs: RunnerStore;
  /** Held by the process that works on the jobs. */
  readonly runnerLock: RunnerLock;
}

export interface JobsOptions {
  readonly services: Services;
  readonly config: Pick<Config, 'home' | 'concurrency' | 'cooldownMs' | keyof ProxyOnly>;
  readonly endpoints: readonly Endpoint[];
  /** Hosts, addresses and ranges that webhooks may be sent to beside public ones. */
  readonly webhookAllow: readonly string[];
  /** Gets what stops a job for now; the id is empty where it is all jobs. */
  readonly onError: (job: string, cause: unknown) => void;
  /** In place of the call function of every face. */
  readonly ask?: CallFunction | undefined;
  /** In place of the system's resolver. */
  readonly resolve?: Resolve;
  /** Certificates that webhook receivers must have, in place of the system's. */
  readonly ca?: string | undefined;
  /** Runs after every call for an input that was answered, with the seconds it took and the job's id. */
  readonly onAnswered?: (endpoint: Endpoint, answer: Answer, seconds: number, job: string) => void;
  /** Ends the comparison of a finished job with what is usual: a sentence for each field that its answers lacked. */
  readonly comparisonOf?: (job: string) => readonly string[];
  /** Runs after every call for an input that failed. */
  readonly onRejected?: (endpoint: Endpoint, code: ErrorCode) => void;
  /** What a key may do, asked before each run of a schedule; left out where all may do everything. */
  readonly readKeyState?: ReadKeyState;
}

type ProxyOnly = Pick<Config, 'httpsProxy' | 'httpProxy' | 'noProxy'>;

/** What makes jobs of a data directory. */
export interface DirectoryJobsOptions extends JobsOptions {
  readonly stores: JobStores;
  readonly files?: ResultsFiles;
}

/** Everything about jobs, of one data directory or database. */
export interface Jobs {
  readonly store: JobStore;
  readonly webhooks: Webhooks;
  readonly results: JobResults;
  readonly downloads: Pick<ResultDownloads, 'open'>;
  readonly schedules: Schedules;
  readonly endpoints: readonly Endpoint[];
  /** Rejects `webhook_url_not_allowed`. */
  checkTarget(url: string): Promise<void>;
  /** Looks for work at once: a job was made or cancelled, a delivery asked for. */
  wake(): void;
  /** Cancels the jobs of an account that is about to be deleted, each in a transaction of its own. */
  cancelAll(account: string): Promise<void>;
  /** Stops the jobs of a deleted account and deletes what they left in files. */
  forgetDeleted(): Promise<void>;
  /** Begins to work; of the processes of a data directory one does, and the others wait for its end. */
  start(): void;
  stop(): Promise<void>;
}

/** Inputs under way for each request that a platform takes at once: so that none waits for a disk. */
const inputsPerRequest = 3;
/** At least so many: an input that hangs must not hold up the others. */
const minSlots = 4;
/** Milliseconds between tries to begin where something stands in the way. */
const startRetryMs = 5000;

function ignoreFinished(error: unknown): void {
  if (!(error instanceof ExtractError) || error.code !== 'job_already_finished') throw error;
}

/** The same function, with its calls reported. */
function countCalls(
  ask: CallFunction,
  { onAnswered, onRejected, services: { clock, span } }: JobsOptions,
): CallFunction {
  return async (endpoint, params, caller, signal) => {
    const began = elapsed(clock);
    try {
      const attributes = { 'extract.job_id': caller.job ?? '', 'extract.request_id': caller.requestId };
      const answer = await inSpan(span, 'extract.job', attributes, () =>
        ask(endpoint, params, caller, signal),
      );
      onAnswered?.(endpoint, answer, (elapsed(clock) - began) / 1000, caller.job ?? '');
      return answer;
    } catch (error) {
      if (error instanceof ExtractError) onRejected?.(endpoint, error.code);
      throw error;
    }
  };
}

/** The jobs of a data directory. */
export function openJobs(options: DirectoryJobsOptions): Jobs {
  const { stores, services, config, endpoints, onError } = options;
  const { clock, docsBase } = services;
  const { jobs: store, webhooks, schedules } = stores;
  const files = options.files ?? new ResultsFiles(config.home);
  const targets = new Targets(options.webhookAllow, options.resolve);
  const sender = createSender({ targets, clock, proxy: config, ca: options.ca });
  const deliverer = new Deliverer({ store: webhooks, sender, clock, onError, span: services.span });
  const reserved: Services = { ...services, ledger: reservedLedger(services.ledger) };
  const chargedCall: CallFunction = (endpoint, params, caller, signal) =>
    call(endpoint, params, reserved, caller, { texts: true, signal });
  const ask = countCalls(options.ask ?? chargedCall, options);
  const slots = (platform: Platform) => {
    const site = endpoints.find((endpoint) => endpoint.platform === platform)?.site;
    const atOnce = config.concurrency[platform] ?? site?.pace.concurrency ?? 1;
    return Math.max(minSlots, atOnce * inputsPerRequest);
  };
  const { cooldownMs } = config;
  let comparing: Promise<void> = Promise.resolve();
  const onFinished = (id: string) => {
    deliverer.wake();
    const sentences = options.comparisonOf?.(id) ?? [];
    if (sentences.length === 0) return;
    comparing = comparing
      .then(() => store.keepComparison(id, sentences))
      .catch((cause: unknown) => onError(id, cause));
  };
  const runner = new Runner({
    ...{ store, files, clock, docsBase, endpoints, ask, slots, cooldownMs, onFinished, onError },
  });
  const sweeper = new Sweeper(store, webhooks, files, clock, onError);
  const scheduler = new Scheduler({
    ...{ store: schedules, clock, endpoints, onError },
    readKeyState: options.readKeyState ?? (async () => ({ fault: null, monthlyCredits: null })),
    onMade: () => runner.wake(),
  });
  const stopping = new AbortController();
  let begun: Promise<void> | undefined;
  let releaseLock: () => void = () => undefined;
  let working = false;
  const begin = async () => {
    while (!working && !stopping.signal.aborted) {
      try {
        await files.prepare();
        releaseLock = await stores.runnerLock.acquire(stopping.signal);
        working = true;
        await runner.start();
        deliverer.wake();
        sweeper.start();
        scheduler.wake();
      } catch (cause) {
        working = false;
        releaseLock();
        releaseLock = () => undefined;
        if (stopping.signal.aborted) return;
        // A folder that cannot be made or locked now: nobody works on the jobs without the lock.
        onError('', cause);
        await clock.sleep(startRetryMs, stopping.signal).catch(() => undefined);
      }
    }
  };
  const wake = () => {
    if (!working) return;
    runner.wake();
    deliverer.wake();
    scheduler.wake();
  };
  return {
    store,
    webhooks,
    schedules,
    results: new FileResults(store, files, (id) => runner.nextProgress(id), clock),
    downloads: new ResultDownloads(store, files, fileLines(files), endpoints),
    endpoints,
    checkTarget: (url) => targets.check(url),
    wake,
    async cancelAll(account) {
      let before: string | undefined;
      do {
        const { jobs: some, next } = await store.list(account, 100, before);
        for (const { id, finished_at } of some) {
          if (finished_at === null) await store.cancel(account, id).catch(ignoreFinished);
        }
        before = next ?? undefined;
      } while (before !== undefined);
    },
    async forgetDeleted() {
      if (working) await runner.dropDeleted();
      await sweeper.removeOrphans();
      wake();
    },
    start() {
      begun ??= begin();
    },
    async stop() {
      stopping.abort(new DOMException('The server stops.', 'AbortError'));
      await begun;
      await Promise.all([scheduler.stop(), runner.stop(), deliverer.stop(), sweeper.stop()]);
      await comparing;
      releaseLock();
    },
  };
}
