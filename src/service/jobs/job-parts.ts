import type { Config } from '../../../lib/config.js';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import type { DeliveryBucket } from '../../config/bucket-config.js';
import { isBucketAddress } from '../../files/bucket/bucket-address.js';
import type { Mailer } from '../accounts/mail/mailer.js';
import type { Target } from '../notify/target.js';
import type { AccountStorage } from './account-storage.js';
import type { LinkStore } from './links/link-store.js';
import type { LinesToReturn } from './results/unsuppressed-results.js';
import type { JobCallsOptions } from './runner/job-calls.js';
import { alertDeliverer } from './schedules/alerts/alert-deliverer.js';
import type { AlertStore } from './schedules/alerts/alert-store.js';
import { checkTargets, type EmailOf } from './schedules/alerts/check-targets.js';
import { RunNotices } from './schedules/alerts/run-notices.js';
import type { ScheduleStore } from './schedules/schedule-store.js';
import { type ReadKeyState, Scheduler } from './schedules/scheduler.js';
import type { StoredJobs } from './stored-jobs.js';
import { webhookDeliverer } from './webhooks/attempt.js';
import { BucketDelivery } from './webhooks/bucket-delivery.js';
import { createSender, type Sender } from './webhooks/sender.js';
import { type Resolve, Targets } from './webhooks/targets.js';
import type { WebhookStore } from './webhooks/webhook-store.js';

export interface JobPorts {
  readonly jobs: StoredJobs;
  readonly webhooks: WebhookStore;
  readonly schedules: ScheduleStore;
  readonly alerts: AlertStore;
  readonly links: LinkStore;
  readonly storage: AccountStorage;
}

export interface JobsOptions extends JobCallsOptions {
  readonly config: Pick<Config, 'home' | 'concurrency' | 'cooldownMs' | keyof ProxyOnly>;
  /** Hosts, addresses and ranges allowed for webhooks in addition to public ones. */
  readonly webhookAllow: readonly string[];
  /** Called with what currently blocks a job; the id is empty if it blocks all jobs. */
  readonly onError: (job: string, cause: unknown) => void;
  /** Replaces the system's resolver. */
  readonly resolve?: Resolve;
  /** Sends webhooks and alerts; by default over the network. */
  readonly sender?: Sender;
  /** The operator's bucket for results; optional. */
  readonly bucket?: DeliveryBucket | null | undefined;
  /** Certificates to trust for webhook receivers, instead of the system's. */
  readonly ca?: string | undefined;
  /** Ends the comparison of a finished job with the baseline. Returns a sentence per missing field. */
  readonly comparisonOf?: (job: string) => readonly string[];
  /** Bytes of inputs and results that an account may store; unlimited by default. */
  readonly accountBytes?: number;
  /** Sends alert e-mails. Omit to disable them. */
  readonly mailer?: Mailer;
  /** Returns an account's confirmed address. Omit if accounts have none. */
  readonly emailOf?: EmailOf;
  /** Returns the address of a job's page; by default the path of its results. */
  readonly jobPage?: (job: string) => string;
  /** Reads the permissions of a key before each run of a schedule. Omit if keys have no limits. */
  readonly readKeyState?: ReadKeyState;
}

type ProxyOnly = Pick<Config, 'httpsProxy' | 'httpProxy' | 'noProxy'>;

/**
 * Creates the parts around a runner. `lines` are its finished lines; `onCreated` wakes it when a schedule has created a
 * job.
 */
export function jobParts(
  { jobs: store, webhooks, schedules, alerts, links, storage }: JobPorts,
  lines: LinesToReturn,
  options: JobsOptions,
  onCreated: () => void,
) {
  const { services, config, endpoints, onError } = options;
  const { clock, span } = services;
  const accountBytes = options.accountBytes ?? Number.POSITIVE_INFINITY;
  const targets = new Targets(options.webhookAllow, options.resolve);
  const sender = options.sender ?? createSender({ targets, clock, proxy: config, ca: options.ca });
  const bucket = new BucketDelivery({
    ...{ bucket: options.bucket ?? null, home: config.home, proxy: config, clock, lines, endpoints },
  });
  const deliverer = webhookDeliverer({ store: webhooks, sender, bucket, clock, onError, span });
  let isClean = false;
  const savedComparisons = comparisons(store, options.comparisonOf, onError);
  const scheduler = new Scheduler({
    ...{ store: schedules, clock, endpoints, onError, onCreated },
    readKeyState: options.readKeyState ?? (async () => ({ fault: null, monthlyCredits: null })),
    checkRoom: (account) => storage.checkRoom(account, 0, accountBytes),
  });
  const { mailer = null, emailOf = async () => null } = options;
  const jobPage = options.jobPage ?? ((job) => `/v1/jobs/${job}/results`);
  const alerter = alertDeliverer({ store: alerts, webhooks, sender, mailer, clock, onError });
  const onReported = () => alerter.wake();
  const notices = new RunNotices({ store: alerts, lines, clock, jobPage, onCreated: onReported, onError });
  return {
    /** The part of jobs that exists before any worker starts. */
    shown: {
      ...{ store, webhooks, schedules, links, storage, accountBytes, endpoints },
      /** Rejects `webhook_url_not_allowed`. */
      checkTarget: async (url: string): Promise<void> =>
        isBucketAddress(url) ? bucket.check(url) : targets.check(url),
      /** Rejects `webhook_url_not_allowed`, and `invalid_parameter` for an email address other than the account's own. */
      checkNotified: (account: string, notified: readonly Target[]): Promise<void> =>
        checkTargets(account, notified, targets, emailOf),
      /** Cancels the jobs of an account before it is deleted, each in its own transaction. */
      cancelAll: (account: string): Promise<void> => cancelAll(store, account),
    },
    /** Must be called once the last line of a job exists. */
    onFinished(job: string) {
      deliverer.wake();
      savedComparisons.save(job);
      notices.wake();
      // A scheduled run may be waiting for this one to end.
      scheduler.wake();
    },
    /** Starts due jobs and deliveries, from the first call on. */
    wake() {
      if (!isClean) bucket.discardLeft().catch((cause: unknown) => onError('', cause));
      isClean = true;
      deliverer.wake();
      scheduler.wake();
      notices.wake();
      alerter.wake();
    },
    /** Resolves when the comparisons of finished jobs are stored. */
    settle: savedComparisons.settle,
    async stop() {
      await Promise.all([scheduler.stop(), notices.stop(), alerter.stop(), deliverer.stop()]);
      await Promise.all([sender.close(), bucket.close()]);
    },
  };
}

/** Returns how to store which fields the answers of finished jobs lacked, one job at a time. */
function comparisons(
  store: Pick<StoredJobs, 'saveComparison'>,
  comparisonOf: ((job: string) => readonly string[]) | undefined,
  onError: (job: string, cause: unknown) => void,
) {
  let saving: Promise<void> = Promise.resolve();
  return {
    /** Finishes the comparison of a finished job, and stores its sentences. */
    save(id: string): void {
      const sentences = comparisonOf?.(id) ?? [];
      if (sentences.length === 0) return;
      saving = saving
        .then(() => store.saveComparison(id, sentences))
        .catch((cause: unknown) => onError(id, cause));
    },
    /** Resolves when every comparison is stored. */
    settle: () => saving,
  };
}

function ignoreFinished(error: unknown): void {
  if (!(error instanceof ExtractError) || error.code !== 'job_already_finished') throw error;
}

/** Cancels the cancellable jobs of an account, each in its own transaction. */
async function cancelAll(store: StoredJobs, account: string): Promise<void> {
  let before: string | undefined;
  do {
    const { jobs, next } = await store.list(account, 100, before);
    for (const { id, finished_at } of jobs) {
      if (finished_at === null) await store.cancel(account, id).catch(ignoreFinished);
    }
    before = next ?? undefined;
  } while (before !== undefined);
}
