import { setImmediate } from 'node:timers/promises';
import { feedEntry, groupChanges } from '../../../files/history/feed-entries.js';
import type { Change, ChangePage, HistoryReader } from '../../../files/history/history.js';
import { type Feed, type FeedEntry, uuidUrn } from '../../../output/feed/feed.js';
import type { Schedule } from '../schedules/schedule.js';

/** Changes that a feed has at most, the newest. */
const maxChanges = 100;
/** Changes that one turn of the event loop works on: an item may have tens of kilobytes. */
const changesPerTurn = 10;

async function newestGroups(history: Pick<HistoryReader, 'changes'>) {
  const changes: Change[] = [];
  let cursor: number | null = null;
  do {
    const query = { newestFirst: true, items: true, quiet: true, limit: changesPerTurn, cursor };
    const page: ChangePage = await history.changes(query);
    changes.push(...page.changes);
    cursor = page.next;
    await setImmediate();
  } while (cursor !== null && changes.length < maxChanges);
  const groups = groupChanges(changes);
  // Further changes of the oldest item may stand behind the last one that was read: its entry would lack them.
  return cursor === null || groups.length === 1 ? groups : groups.slice(0, -1);
}

/** What the runs of a schedule saw move, as a feed: an entry for each item and run, the newest first. */
export async function scheduleFeed(
  { id: schedule, name, endpoint, created_at: emptySince }: Schedule,
  history: Pick<HistoryReader, 'changes'>,
  addresses: Pick<Feed, 'selfUrl' | 'homeUrl'>,
): Promise<Feed> {
  const id = uuidUrn(schedule);
  const entries: FeedEntry[] = [];
  for (const group of await newestGroups(history)) {
    if (entries.push(feedEntry(id, group)) % changesPerTurn === 0) await setImmediate();
  }
  await setImmediate();
  return { id, title: name ?? endpoint, ...addresses, entries, emptySince };
}
