import { randomBytes } from 'node:crypto';
import type { InputCheck } from '../../../files/batch-files/dry-run.js';
import type { JobRequest } from '../../../service/jobs/job-request.js';

/** Inputs that have been parsed and priced, before the user confirms the job. */
export interface Draft {
  readonly id: string;
  readonly account: string;
  /** Where the inputs came from: a file name, or a description. */
  readonly source: string;
  readonly checked: InputCheck;
  /** The first inputs, as JSON text. */
  readonly first: readonly string[];
  /** Number of lines that are not inputs. */
  readonly unreadable: number;
  /** The job to submit; null while some lines are unreadable. */
  readonly request: JobRequest | null;
  /** The job without faulty lines; null if no line is faulty, or all are. */
  readonly soundRequest: JobRequest | null;
  readonly key: string | null;
}

/** Maximum drafts per account; the oldest is replaced. */
export const maxDraftsPerAccount = 3;
export const draftLifetimeMs = 3_600_000;

/** Returns an id that cannot be guessed. */
export const newDraftId = () => `draft_${randomBytes(16).toString('base64url')}`;

/** The port to drafts, which last an hour. Losing one costs its owner another upload and nothing else. */
export interface Drafts {
  add(draft: Omit<Draft, 'id'>): Promise<Draft>;
  /** Returns a draft of an account; undefined if it does not exist, or has expired. */
  find(account: string, id: string): Promise<Draft | undefined>;
}
