import { ExtractError } from '../../../lib/errors/extract-error.js';
import type { UsageQueries } from './usage-queries.js';

/** Reads of the history of one account that wait for each other. */
const maxWaiting = 30;

/** Runs the work of each account one after the other, and refuses what is too much. */
class AccountTurns {
  readonly #lines = new Map<string, { last: Promise<unknown>; count: number }>();

  /** Rejects `rate_limited`, and as the work does. */
  async run<T>(account: string, work: () => Promise<T>): Promise<T> {
    const line = this.#lines.get(account) ?? { last: Promise.resolve(), count: 0 };
    if (line.count > maxWaiting) {
      throw new ExtractError(
        'rate_limited',
        'This account reads its history too often at once. Wait for one answer before the next request.',
        { retryAfter: 1 },
      );
    }
    this.#lines.set(account, line);
    line.count += 1;
    const done = line.last.then(work);
    line.last = done.catch(() => undefined);
    try {
      return await done;
    } finally {
      line.count -= 1;
      if (line.count === 0) this.#lines.delete(account);
    }
  }
}

/** The same queries, of which an account has one under way that reads its history. */
export function boundedReads(usage: UsageQueries): UsageQueries {
  const turns = new AccountTurns();
  return {
    listCalls: (account, query) => turns.run(account, () => usage.listCalls(account, query)),
    listCallsByTime: (account, query) => turns.run(account, () => usage.listCallsByTime(account, query)),
    sumByDay: (account, from, to) => turns.run(account, () => usage.sumByDay(account, from, to)),
    findCall: (account, id) => usage.findCall(account, id),
    sumKeyMonth: (key, at) => usage.sumKeyMonth(key, at),
    findLastCallAt: (account) => usage.findLastCallAt(account),
    measureDiskSpace: () => usage.measureDiskSpace(),
  };
}
