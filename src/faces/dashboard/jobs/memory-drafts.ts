import { LRUCache } from 'lru-cache';
import type { Clock } from '../../../../lib/runtime/clock.js';
import { type Draft, type Drafts, draftLifetimeMs, maxDraftsPerAccount, newDraftId } from './drafts.js';

/** Maximum characters of all drafts together. */
const maxCharacters = 96 * 1024 * 1024;
const maxProblemCharacters = 300;

function sizeOf({ request, soundRequest, first, checked }: Draft): number {
  const overhead = 1024 + checked.problems.length * maxProblemCharacters;
  const inputs = [...(request?.inputs ?? first), ...(soundRequest?.inputs ?? [])];
  return inputs.reduce((sum, input) => sum + input.length, overhead);
}

/** Keeps drafts in memory. They are lost on restart, or when others need the space. */
export class MemoryDrafts implements Drafts {
  readonly #drafts: LRUCache<string, Draft>;

  constructor(clock: Clock) {
    this.#drafts = new LRUCache<string, Draft>({
      maxSize: maxCharacters,
      sizeCalculation: sizeOf,
      ttl: draftLifetimeMs,
      ttlResolution: 0,
      perf: clock,
    });
  }

  async add(draft: Omit<Draft, 'id'>): Promise<Draft> {
    const added = { ...draft, id: newDraftId() };
    const accountDrafts = [...this.#drafts.values()].filter(({ account }) => account === draft.account);
    this.#drafts.purgeStale();
    for (const { id } of accountDrafts.slice(maxDraftsPerAccount - 1)) this.#drafts.delete(id);
    this.#drafts.set(added.id, added);
    return added;
  }

  async find(account: string, id: string): Promise<Draft | undefined> {
    const draft = this.#drafts.get(id);
    return draft?.account === account ? draft : undefined;
  }
}
