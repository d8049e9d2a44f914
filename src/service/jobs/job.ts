import type * as z from 'zod';
import type { ErrorCode } from '../../../lib/errors/extract-error.js';
import type { EndedEntry, InputEnding } from '../../../lib/ledger/job-input.js';
import type { ChargedKey } from '../../../lib/ledger/key-limit.js';
import type { Observation } from '../../lines/memory/observation.js';
import type { SeenObservation } from '../../lines/memory/seen.js';
import { pickFields } from '../../lines/step-fields.js';
import type { Target } from '../notify/target.js';
import type { jobObject, lineOptionFields } from './job-objects.js';

/** The options of a job's lines. Without any of them a line has the whole answer and nothing else. */
export type LineOptions = Readonly<z.output<z.ZodObject<typeof lineOptionFields>>>;

/** A job as the contract shows it. */
export type Job = Readonly<z.output<typeof jobObject>>;

export type JobStatus = Job['status'];
export type WebhookState = NonNullable<Job['webhook']>['state'];

/** The options of lines among other values: those of a schedule, or those that a job without one can have. */
export const lineOptionsIn = (
  values: Readonly<Record<string, unknown>>,
  place: 'job' | 'schedule',
): LineOptions => ({
  ...(values.sources === true ? { sources: true } : {}),
  ...pickFields(values, place),
});

/** A job to be made, checked. */
export interface NewJob {
  readonly account: string;
  readonly key: ChargedKey | undefined;
  /** The name that its owner gave it. */
  readonly name?: string | undefined;
  readonly endpoint: string;
  /** Price of one input. */
  readonly credits: number;
  /** Each as JSON text without line breaks. */
  readonly inputs: readonly string[];
  readonly webhookUrl: string | undefined;
  readonly lineOptions?: LineOptions | undefined;
  /** Makes a schedule of it, whose first job it is. */
  readonly schedule?:
    | {
        readonly every: string;
        readonly timezone?: string | undefined;
        /** The targets that are told of each run. */
        readonly notify?: readonly Target[] | undefined;
      }
    | undefined;
  /** Makes a repeated request the same job. */
  readonly idempotency: { readonly key: string; readonly digest: string } | undefined;
  /** Bytes that its account may have stored, this job included; no bound when left out. */
  readonly accountBytes?: number | undefined;
}

/** The part of a job that the runner needs. */
export interface JobAtWork {
  readonly id: string;
  readonly account: string;
  readonly key: { readonly id: string; readonly name: string } | undefined;
  readonly endpoint: string;
  readonly credits: number;
  readonly total: number;
  readonly status: JobStatus;
  readonly lineOptions: LineOptions;
  /** The schedule that made it; null for none. */
  readonly schedule: string | null;
}

/** An input that has ended. */
export interface EndedInput {
  readonly index: number;
  readonly ending: InputEnding;
  /** When its call was made, in milliseconds since 1970. */
  readonly at?: number | undefined;
  /** The measurements of its call. */
  readonly measures?: EndedEntry['measures'];
  /** What it gave, to be left out of later jobs of its schedule. */
  readonly seen?: SeenObservation | undefined;
  /** The observation of its answer, for the history of its schedule. */
  readonly observed?: Observation | undefined;
}

/** How much of a job's results is there. */
export interface ResultsProgress {
  /** Lines without a gap, and their bytes. */
  readonly lines: number;
  readonly bytes: number;
  readonly total: number;
}

/** The error of inputs that never ran. */
export const cancelled: ErrorCode = 'job_cancelled';

export interface JobPage {
  readonly jobs: readonly Job[];
  /** Id to go on from; null on the last page. */
  readonly next: string | null;
}

/** A filter of an account's jobs: every given condition must hold. */
export interface JobFilter {
  readonly endpoint?: string | undefined;
  /** Id of the key that made it. */
  readonly key?: string | undefined;
  /** Made from then on, and before then; milliseconds since 1970. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  /** With at least one input that ended so. */
  readonly ended?: 'ok' | 'failed' | undefined;
}

/** Jobs with lines to be written, of all accounts. */
export interface UnfinishedJobs {
  readonly total: number;
  /** Their inputs that have not ended. */
  readonly inputs: number;
  /** The first of them, oldest first, and whose they are. */
  readonly oldest: readonly { readonly job: Job; readonly account: string }[];
}

/** An idempotency key, and the digest of the request that came with it. */
export type Idempotency = NonNullable<NewJob['idempotency']>;
