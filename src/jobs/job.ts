import type { ErrorCode } from '../../lib/errors/extract-error.js';
import type { InputEnding } from '../../lib/ledger/sqlite/job-entries.js';

export type JobStatus = 'queued' | 'running' | 'done' | 'cancelled';
export type WebhookState = 'pending' | 'delivered' | 'failed';

/** A job as the contract shows it. */
export interface Job {
  readonly id: string;
  readonly endpoint: string;
  readonly status: JobStatus;
  readonly total: number;
  readonly completed: number;
  readonly failed: number;
  readonly credits_reserved: number;
  readonly credits_refunded: number;
  readonly results_url: string;
  readonly results_expire_at: string | null;
  readonly webhook?: { readonly url: string; readonly state: WebhookState };
  readonly created_at: string;
  readonly finished_at: string | null;
}

/** What a job is asked for, checked. */
export interface NewJob {
  readonly account: string;
  readonly key: { readonly id: string; readonly name: string } | undefined;
  readonly endpoint: string;
  /** Price of one input. */
  readonly credits: number;
  /** Each as JSON text without line breaks. */
  readonly inputs: readonly string[];
  readonly webhookUrl: string | undefined;
  /** Makes a repeated request the same job. */
  readonly idempotency: { readonly key: string; readonly digest: string } | undefined;
}

/** How far the files of a job's results are vouched for. Nothing behind it counts. */
export interface Extent {
  /** Lines and bytes of the file in input order. */
  readonly lines: number;
  readonly bytes: number;
  /** Bytes of the file of lines that wait for those before them. */
  readonly lateBytes: number;
}

/** What a job needs to be worked on. */
export interface JobAtWork {
  readonly id: string;
  readonly account: string;
  readonly key: { readonly id: string; readonly name: string } | undefined;
  readonly endpoint: string;
  readonly credits: number;
  readonly total: number;
  readonly status: JobStatus;
  readonly extent: Extent;
}

/** An input that has ended, its line in the files. */
export interface EndedInput {
  readonly index: number;
  readonly ending: InputEnding;
}

interface WebhookAttempt {
  /** Counts from 1 over the life of the delivery. */
  readonly number: number;
  /** ISO 8601 UTC. */
  readonly at: string;
  /** HTTP status of the answer; null when there was none. */
  readonly status: number | null;
  /** What went wrong; null when it was taken. */
  readonly error: string | null;
}

/** The attempts of a webhook, oldest first. */
export interface Delivery {
  /** `whd_…`: the `Extract-Delivery` header of every attempt. */
  readonly id: string;
  readonly url: string;
  readonly state: WebhookState;
  readonly attempts: readonly WebhookAttempt[];
  /** ISO 8601 UTC; null when no further one is due. */
  readonly next_attempt_at: string | null;
}

/** A webhook whose attempt is due. */
export interface DueDelivery {
  readonly job: Job;
  readonly account: string;
  readonly id: string;
  readonly url: string;
  /** Attempts of the present round so far. */
  readonly tries: number;
}

/** How much of a job's results is there. */
export interface ResultsStanding extends Omit<Extent, 'lateBytes'> {
  readonly total: number;
}

export interface JobPage {
  readonly jobs: readonly Job[];
  /** Id to go on from; null on the last page. */
  readonly next: string | null;
}

/** The port to jobs. Each method that changes something resolves when it is on the disk. */
export interface JobStore {
  /**
   * Makes a job, reserving its whole price in the same transaction. `answer` makes the text that is kept for
   * repeated requests. Gives the job or, for a request that was made before, `replayed` with the text of then.
   * Rejects `insufficient_credits` and `idempotency_mismatch` with nothing changed.
   */
  create(
    job: NewJob,
    answer: (job: Job, balance: number) => string,
  ): Promise<{ readonly id: string; readonly answer: string; readonly replayed: boolean }>;
  /** The job and the answer that were given to an idempotency key, or null. Throws `idempotency_mismatch`. */
  replay(
    account: string,
    idempotency: NonNullable<NewJob['idempotency']>,
  ): { readonly id: string; readonly answer: string } | null;
  /** A job of an account. Throws `job_not_found`. */
  find(account: string, id: string): Job;
  /** How much of its results is there. Throws `job_not_found`, `results_expired`. */
  results(account: string, id: string): ResultsStanding;
  /** Jobs of an account, newest first, before the job of that id. */
  list(account: string, limit: number, before: string | undefined): JobPage;
  /** Jobs with lines to be written, oldest first. */
  unfinished(): readonly JobAtWork[];
  /** The present state of a job at work; null when there is no such job. */
  atWork(id: string): JobAtWork | null;
  /** Places of the inputs that have not ended, in order. */
  pending(id: string): readonly number[];
  /** Places of the inputs of an account's job that failed, in order. Throws `job_not_found`. */
  failed(account: string, id: string): readonly number[];
  /** An input as JSON text. */
  input(id: string, index: number): string;
  /** An input of the job is being worked on. */
  begin(id: string): Promise<void>;
  /**
   * Ends inputs whose lines are on the disk, refunds those that failed and moves the extent; finishes the job with
   * the last line. False, with nothing changed, when the job was cancelled meanwhile.
   */
  commit(id: string, ended: readonly EndedInput[], to: Extent): Promise<boolean>;
  /** Moves the extent of a cancelled job, whose inputs have all ended. */
  advance(id: string, to: Extent): Promise<void>;
  /** Ends every input that has not ended. Rejects `job_not_found`, `job_already_finished`. */
  cancel(account: string, id: string): Promise<Job>;
  /** Ids of jobs whose results are to be deleted now. */
  expired(): readonly string[];
  /** The files of the job's results are gone. */
  forget(id: string): Promise<void>;
}

/** What the lines of inputs that never ran say. */
export const cancelled: ErrorCode = 'job_cancelled';
