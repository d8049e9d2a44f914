import { randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../../lib/runtime/clock.js';
import type { InputCheck } from '../../batch-files/dry-run.js';
import type { JobRequest } from '../../jobs/job-request.js';

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
  /** What would be ordered; null while lines cannot be read. */
  readonly request: JobRequest | null;
  /** The same without the lines that are faulty; null where none is, or all are. */
  readonly soundRequest: JobRequest | null;
  /** Id of the key that the job is to be made with. */
  readonly key: string | null;
}

/** Drafts of one account at most; the oldest makes room. */
const maxPerAccount = 3;
/** Characters of all drafts together. */
const maxCharacters = 96 * 1024 * 1024;
const hour = 3_600_000;

/** What a problem's words come to, at most. */
const maxProblemCharacters = 300;

function sizeOf({ request, soundRequest, first, checked }: Draft): number {
  const beside = 1024 + checked.problems.length * maxProblemCharacters;
  const inputs = [...(request?.inputs ?? first), ...(soundRequest?.inputs ?? [])];
  return inputs.reduce((sum, input) => sum + input.length, beside);
}

/**
 * Drafts in memory, for an hour. A lost one costs its owner another upload and nothing else. A restart of the server
 * loses it, or others that need the room.
 */
export class Drafts {
  readonly #drafts: LRUCache<string, Draft>;

  constructor(clock: Clock) {
    this.#drafts = new LRUCache<string, Draft>({
      maxSize: maxCharacters,
      sizeCalculation: sizeOf,
      ttl: hour,
      ttlResolution: 0,
      perf: clock,
    });
  }

  /** Keeps a draft under an id of its own. */
  add(draft: Omit<Draft, 'id'>): Draft {
    const added = { ...draft, id: `draft_${randomBytes(16).toString('base64url')}` };
    const own = [...this.#drafts.values()].filter(({ account }) => account === draft.account);
    this.#drafts.purgeStale();
    for (const { id } of own.slice(maxPerAccount - 1)) this.#drafts.delete(id);
    this.#drafts.set(added.id, added);
    return added;
  }

  /** A draft of an account; undefined when it has no such one, or no longer. */
  find(account: string, id: string): Draft | undefined {
    const draft = this.#drafts.get(id);
    return draft?.account === account ? draft : undefined;
  }
}
