import type { Change } from '../../lines/memory/history.js';
import { type FeedEntry, uuidUrn } from '../../output/feed/feed.js';
import { changeText, itemTitle, oneLine, valueText } from '../../output/item-text.js';

/** The changes of one item in one run, newest first. */
export type ChangeGroup = readonly [Change, ...Change[]];

/** Groups changes, newest first, by item and run. */
export function groupChanges(changes: readonly Change[]): readonly ChangeGroup[] {
  const groups: [Change, ...Change[]][] = [];
  for (const change of changes) {
    const last = groups.at(-1);
    const { run, object, id, endpoint, subject } = change;
    const isSame =
      last !== undefined &&
      last[0].run === run &&
      [last[0].object, last[0].id, last[0].endpoint, last[0].subject].join('\0') ===
        [object, id, endpoint, subject].join('\0');
    if (isSame) last.push(change);
    else groups.push([change]);
  }
  return groups;
}

const prefixes = { first: '', new: 'New: ', removed: 'Removed: ', returned: 'Back: ', changed: '' } as const;

function titleOf(group: ChangeGroup, name: string): string {
  const event = group.find(({ event: one }) => one !== 'changed')?.event ?? 'changed';
  if (event !== 'changed') return `${prefixes[event]}${name}`;
  const oldest = group.at(-1) as Change;
  return oneLine(
    `${name}: ${changeText(oldest)}${group.length > 1 ? `, and ${group.length - 1} more` : ''}`,
    160,
  );
}

/** Feed readers only show the beginning, and poll. */
const maxTextLength = 2_000;

const shortened = (text: string) =>
  text.length <= maxTextLength
    ? text
    : `${text.slice(0, maxTextLength - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;

/** Returns the fields of an item as lines: strings and numbers only. */
function fieldLines(item: NonNullable<Change['item']>): string[] {
  return Object.entries(item)
    .filter(
      ([, value]) => typeof value === 'number' || (typeof value === 'string' && !/^https?:/.test(value)),
    )
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? shortened(value) : valueText(value)}`);
}

/** Returns the entry for a group of changes. `feed` is the feed's ID; an entry keeps its ID when others follow. */
export function feedEntry(feed: string, group: ChangeGroup): FeedEntry {
  const [newest] = group;
  const { number, id, url, item = {}, subject, endpoint, fetched_at: published } = newest;
  const fieldChanges = group.filter(({ event }) => event === 'changed').reverse();
  const lines = [
    ...fieldChanges.map(changeText),
    ...(fieldChanges.length === group.length ? [] : fieldLines(item)),
  ];
  return {
    id: uuidUrn(`${feed} ${number}`),
    title: titleOf(group, itemTitle(item) ?? id),
    url,
    published,
    text: shortened(lines.join('\n')) || id,
    tags: [endpoint, ...(subject === '' ? [] : [subject])],
  };
}

/** Returns the entries of a feed: one per item and run. `changes` are newest first. */
export function feedEntries(feed: string, changes: readonly Change[]): readonly FeedEntry[] {
  return groupChanges(changes).map((group) => feedEntry(feed, group));
}
