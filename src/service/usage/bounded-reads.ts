import { accountTurns } from '../../../lib/runtime/account-turns.js';
import type { UsageQueries } from './usage-queries.js';

const reads = {
  name: 'reads of the history',
  maxWaiting: 30,
  refusal:
    'This account makes too many simultaneous history requests. Wait for one answer before the next request.',
};

/** Limits queries to one history read per account at a time. */
export function boundedReads(usage: UsageQueries): UsageQueries {
  return {
    listCalls: (account, query) => accountTurns.run(reads, account, () => usage.listCalls(account, query)),
    listCallsByTime: (account, query) =>
      accountTurns.run(reads, account, () => usage.listCallsByTime(account, query)),
    sumByDay: (account, from, to) =>
      accountTurns.run(reads, account, () => usage.sumByDay(account, from, to)),
    findCall: (account, id) => usage.findCall(account, id),
    sumKeyMonth: (key, at) => usage.sumKeyMonth(key, at),
    findLastCallAt: (account) => usage.findLastCallAt(account),
    measureDiskSpace: () => usage.measureDiskSpace(),
  };
}
