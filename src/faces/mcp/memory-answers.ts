import { LRUCache } from 'lru-cache';
import type { Clock } from '../../../lib/runtime/clock.js';
import { answerLifetimeMs, maySee, type RecentAnswer, type RecentAnswers } from './recent-answers.js';

const maxCharacters = 16 * 1024 * 1024;

export class MemoryAnswers implements RecentAnswers {
  readonly #answers;

  constructor(clock: Pick<Clock, 'now'>) {
    this.#answers = new LRUCache<string, RecentAnswer>({
      maxSize: maxCharacters,
      sizeCalculation: ({ answer }) => answer.json.length + 512,
      ttl: answerLifetimeMs,
      ttlResolution: 0,
      perf: clock,
    });
  }

  async add(recent: RecentAnswer): Promise<void> {
    this.#answers.set(recent.answer.meta.request_id, recent);
  }

  async find(requestId: string, account: string | null): Promise<RecentAnswer | undefined> {
    const recent = this.#answers.get(requestId);
    return recent !== undefined && maySee(recent, account) ? recent : undefined;
  }
}
