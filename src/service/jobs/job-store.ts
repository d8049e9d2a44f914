import type { Platform } from '../../../lib/platforms.js';
import type { Given, Job, JobAtWork, NewJob, ResultsProgress } from './job.js';

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

/** The port to jobs, for those who make them and look at them. Each method that changes something resolves when it is on the disk. */
export interface JobStore {
  /**
   * Makes a job, reserving its whole price in the same transaction. `answer` makes the text that is stored for
   * repeated requests. Gives the job or, for a request that was made before, `replayed` with the text of then.
   * Rejects `insufficient_credits`, `storage_full` and `idempotency_mismatch` with nothing changed.
   */
  create(
    job: NewJob,
    answer: (job: Job, balance: number) => string,
  ): Promise<{ readonly id: string; readonly answer: string; readonly replayed: boolean }>;
  /** The job and the answer that were given to an idempotency key, or null. Rejects `idempotency_mismatch`. */
  replay(
    account: string,
    idempotency: Idempotency,
  ): Promise<{ readonly id: string; readonly answer: string } | null>;
  /** A job of an account. Rejects `job_not_found`. */
  find(account: string, id: string): Promise<Job>;
  /** How much of its results is there. Rejects `job_not_found`, `results_expired`. */
  readProgress(account: string, id: string): Promise<ResultsProgress>;
  /** Jobs of an account, newest first, before the job of that id. Platforms and a filter narrow the list. */
  list(
    account: string,
    limit: number,
    before: string | undefined,
    platforms?: readonly Platform[] | null,
    filter?: JobFilter,
  ): Promise<JobPage>;
  /** How many jobs of an account can still be cancelled. */
  countActive(account: string): Promise<number>;
  /** Jobs of all accounts with lines to be written, of which so many are shown. */
  summarizeUnfinished(limit: number): Promise<UnfinishedJobs>;
  /** Indexes of the inputs of an account's job that failed, in order. Rejects `job_not_found`. */
  listFailedInputs(account: string, id: string): Promise<readonly number[]>;
  /** Resolves with the items that earlier jobs of the job's schedule gave for an input; null for none. */
  readGiven(id: string, index: number): Promise<Given | null>;
  /** An input as JSON text. Rejects `internal_error` when it is not there any more. */
  readInput(id: string, index: number): Promise<string>;
  /** Ends every input that has not ended. Rejects `job_not_found`, and `job_already_finished` for a cancelled job too. */
  cancel(account: string, id: string): Promise<Job>;
  /** Keeps what the answers of a finished job lacked, a sentence a field. A job that is gone is left alone. */
  saveComparison(id: string, sentences: readonly string[]): Promise<void>;
  /** The same of an account's job; none while it runs. Rejects `job_not_found`. */
  readComparison(account: string, id: string): Promise<readonly string[]>;
}

/** The port of the one runner of a data directory. */
export interface RunnerStore extends JobStore {
  /** Jobs with lines to be written, oldest first. */
  listUnfinished(): Promise<readonly JobAtWork[]>;
  /** Ids of jobs whose results are to be deleted now. */
  listExpired(): Promise<readonly string[]>;
  /** Forgets the answers to idempotency keys that are older than a day. */
  forgetAnswers(): Promise<void>;
  /** Forgets inputs that a killed process left: of a job that was not made within an hour, and of jobs and schedules that have ended. */
  forgetStagedInputs(): Promise<void>;
  /** Deletes the inputs of accounts that this process deleted. */
  withdrawDeleted(): Promise<void>;
  /** Deletes the lines of jobs that are no more. */
  forgetLines(): Promise<void>;
  /** The given ids that name no job: it was deleted with its account. */
  listMissing(ids: readonly string[]): Promise<readonly string[]>;
  /** Deletes the lines of a job, and says so in its row. */
  forget(id: string): Promise<void>;
}

/** The port to the right to work on a data directory's jobs, which one process has at a time. */
export interface RunnerLock {
  /**
   * Waits until no other process has the lock. Resolves with what releases it; the end of the process, however it
   * ends, releases it too. Rejects with the signal's reason.
   */
  acquire(signal: AbortSignal): Promise<() => void>;
}
