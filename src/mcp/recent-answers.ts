import { LRUCache } from 'lru-cache';
import type { Answer } from '../../lib/call/envelope.js';
import type { Endpoint } from '../../lib/endpoint.js';
import type { Clock } from '../../lib/runtime/clock.js';

/** An answer that was given, whole. */
export interface RecentAnswer {
  readonly endpoint: Endpoint;
  readonly answer: Answer;
  /** The account it was charged to; null for a demo without a key. */
  readonly account: string | null;
  readonly demo: boolean;
}

/** Characters of all answers together, and how long each stays. */
const maxCharacters = 16 * 1024 * 1024;
const lifetimeMs = 60 * 60 * 1000;

/** Answers just given, so that what did not fit can be looked up without being charged again. In memory only. */
export class RecentAnswers {
  readonly #answers;

  constructor(clock: Pick<Clock, 'now'>) {
    this.#answers = new LRUCache<string, RecentAnswer>({
      maxSize: maxCharacters,
      sizeCalculation: ({ answer }) => answer.json.length + 512,
      ttl: lifetimeMs,
      ttlResolution: 0,
      perf: clock,
    });
  }

  /** Adds an answer, unless it alone exceeds the bound. */
  add(recent: RecentAnswer): void {
    this.#answers.set(recent.answer.meta.request_id, recent);
  }

  /** The answer of that request if it is still there and `account` may see it. */
  find(requestId: string, account: string | null): RecentAnswer | undefined {
    const recent = this.#answers.get(requestId);
    // Every caller may see sample data; any other answer belongs to the account that paid for it.
    return recent !== undefined && (recent.demo || recent.account === account) ? recent : undefined;
  }
}
