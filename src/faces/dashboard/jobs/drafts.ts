import { randomBytes } from 'node:crypto';
import type { InputCheck } from '../../../files/batch-files/dry-run.js';
import type { JobRequest } from '../../../service/jobs/job-request.js';

/** Inputs that were read and priced, before somebody says that they are to run. */
export interface Draft {
  readonly id: string;
  readonly account: string;
  /** Where the inputs came from, in words: a file's name, or what stands for one. */
  readonly source: string;
  readonly checked: InputCheck;
  /** The first inputs, as JSON text. */
  readonly first: readonly string[];
  /** Lines that are no input at all. */
  readonly unreadable: number;
  /** The job that would be ordered; null while lines cannot be read. */
  readonly request: JobRequest | null;
  /** The same without the lines that are faulty; null where none is, or all are. */
  readonly soundRequest: JobRequest | null;
  /** Id of the key that the job is to be made with. */
  readonly key: string | null;
}

/** Drafts of one account at most; the oldest makes room. */
export const maxDraftsPerAccount = 3;
/** Milliseconds for which a draft is kept. */
export const draftLifetimeMs = 3_600_000;

/** An id that nobody guesses. */
export const newDraftId = () => `draft_${randomBytes(16).toString('base64url')}`;

/** The port to drafts, for an hour. A lost one costs its owner another upload and nothing else. */
export interface Drafts {
  /** Keeps a draft under an id of its own. */
  add(draft: Omit<Draft, 'id'>): Promise<Draft>;
  /** A draft of an account; undefined when it has no such one, or no longer. */
  find(account: string, id: string): Promise<Draft | undefined>;
}
