import { accountTurns } from '../../../../lib/runtime/account-turns.js';
import { feedEntry, groupChanges } from '../../../files/history/feed-entries.js';
import type { Change, HistoryReader } from '../../../lines/memory/history.js';
import { type Feed, type FeedEntry, uuidUrn } from '../../../output/feed/feed.js';
import type { Schedule } from '../schedules/schedule.js';

/** Maximum changes in a feed. */
const maxChanges = 100;
/** Changes processed per turn of the event loop. An item may have tens of kilobytes. */
const changesPerTurn = 10;
/** Change numbers examined per turn. Most are growing counts, which a feed omits. */
const numbersPerTurn = 10_000;
/** Maximum turns per feed. A year's history may have millions of such counts. */
const maxTurns = 50;

async function newestGroups(account: string, history: Pick<HistoryReader, 'changes'>) {
  const changes: Change[] = [];
  const newest = await history.changes({ newestFirst: true, limit: 1 });
  // A page may lack the changes of suppressed subjects.
  let cursor = (newest.changes[0]?.number ?? newest.next ?? 0) + 1;
  for (let turns = 0; cursor > 1 && turns < maxTurns && changes.length < maxChanges; turns += 1) {
    const after = Math.max(0, cursor - numbersPerTurn);
    const query = { newestFirst: true, items: true, quiet: true, limit: changesPerTurn, cursor, after };
    const page = await history.changes(query);
    changes.push(...page.changes);
    cursor = page.next ?? after + 1;
    await accountTurns.next(account);
  }
  const groups = groupChanges(changes);
  // The oldest item may have further unread changes, so its entry would be incomplete.
  return cursor <= 1 || groups.length === 1 ? groups : groups.slice(0, -1);
}

/** Returns the changes seen by a schedule's runs as a feed: an entry per item and run, newest first. */
export async function scheduleFeed(
  account: string,
  { id: schedule, name, endpoint, created_at: emptySince }: Schedule,
  history: Pick<HistoryReader, 'changes'>,
  addresses: Pick<Feed, 'selfUrl' | 'homeUrl'>,
): Promise<Feed> {
  const id = uuidUrn(schedule);
  const entries: FeedEntry[] = [];
  for (const group of await newestGroups(account, history)) {
    if (entries.push(feedEntry(id, group)) % changesPerTurn === 0) await accountTurns.next(account);
  }
  await accountTurns.next(account);
  return { id, title: name ?? endpoint, ...addresses, entries, emptySince };
}
