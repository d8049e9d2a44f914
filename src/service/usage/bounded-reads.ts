import { AccountTurns } from '../../../lib/runtime/account-turns.js';
import type { UsageQueries } from './usage-queries.js';

/** Reads of the history of one account that wait for each other. */
const maxWaiting = 30;

/** The same queries, of which an account has one under way that reads its history. */
export function boundedReads(usage: UsageQueries): UsageQueries {
  const turns = new AccountTurns(
    maxWaiting,
    'This account reads its history too often at once. Wait for one answer before the next request.',
  );
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
