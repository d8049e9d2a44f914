import type * as z from 'zod';
import type { EndedEntry, InputEnding } from '../../../lib/ledger/job-input.js';
import type { ChargedKey } from '../../../lib/ledger/key-limit.js';
import type { Observation } from '../../lines/memory/observation.js';
import type { SeenObservation } from '../../lines/memory/seen.js';
import { pickFields } from '../../lines/step-fields.js';
import type { Target } from '../notify/target.js';
import type { jobObject, lineOptionFields } from './job-objects.js';

/** The options for a job's lines. Without any, a line is the complete answer and nothing else. */
export type LineOptions = Readonly<z.output<z.ZodObject<typeof lineOptionFields>>>;

export type Job = Readonly<z.output<typeof jobObject>>;

export type JobStatus = Job['status'];
export type WebhookState = NonNullable<Job['webhook']>['state'];

/** Picks the line options from other values: a schedule's, or those allowed without one. */
export const lineOptionsIn = (
  values: Readonly<Record<string, unknown>>,
  kind: 'job' | 'schedule',
): LineOptions => ({
  ...(values.sources === true ? { sources: true } : {}),
  ...pickFields(values, kind),
});

export interface NewJob {
  readonly account: string;
  readonly key: ChargedKey | undefined;
  readonly name?: string | undefined;
  readonly endpoint: string;
  /** Price of one input. */
  readonly credits: number;
  /** Each as JSON text without line breaks. */
  readonly inputs: readonly string[];
  readonly webhookUrl: string | undefined;
  readonly lineOptions?: LineOptions | undefined;
  /** Creates a schedule, with this as its first job. */
  readonly schedule?:
    | {
        readonly every: string;
        readonly timezone?: string | undefined;
        /** The targets notified of each run. */
        readonly notify?: readonly Target[] | undefined;
      }
    | undefined;
  /** Makes a repeated request return the same job. */
  readonly idempotency: { readonly key: string; readonly digest: string } | undefined;
  /** Bytes that its account may store, including this job; unlimited by default. */
  readonly accountBytes?: number | undefined;
}

/** The part of a job that the runner uses. */
export interface JobAtWork {
  readonly id: string;
  readonly account: string;
  readonly key: { readonly id: string; readonly name: string } | undefined;
  readonly endpoint: string;
  readonly credits: number;
  readonly total: number;
  readonly status: JobStatus;
  readonly lineOptions: LineOptions;
  /** The schedule that created it; null for none. */
  readonly schedule: string | null;
}

/** A finished input. */
export interface EndedInput {
  readonly index: number;
  readonly ending: InputEnding;
  /** Start of its call, milliseconds since 1970. */
  readonly at?: number | undefined;
  readonly measures?: EndedEntry['measures'];
  /** What it returned, which later jobs of its schedule omit. */
  readonly seen?: SeenObservation | undefined;
  /** The observation of its answer, for its schedule's history. */
  readonly observed?: Observation | undefined;
}

export interface ResultsProgress {
  /** Contiguous lines, and their bytes. */
  readonly lines: number;
  readonly bytes: number;
  readonly total: number;
}

export interface JobPage {
  readonly jobs: readonly Job[];
  /** The id to continue from; null on the last page. */
  readonly next: string | null;
}

/** A filter of an account's jobs. Conditions are combined with AND. */
export interface JobFilter {
  readonly endpoint?: string | undefined;
  /** The id of the key that created it. */
  readonly key?: string | undefined;
  /** Created from, and before; milliseconds since 1970. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  /** With at least one such input. */
  readonly ended?: 'ok' | 'failed' | undefined;
}

/** Jobs of all accounts with unwritten lines. */
export interface UnfinishedJobs {
  readonly total: number;
  /** Their unfinished inputs. */
  readonly inputs: number;
  /** The oldest ones, with their accounts. */
  readonly oldest: readonly { readonly job: Job; readonly account: string }[];
}

/** An idempotency key, and the digest of its request. */
export type Idempotency = NonNullable<NewJob['idempotency']>;
