import { changeText, itemTitle, oneLine } from '../../output/item-text.js';
import { grouped } from '../../output/number-text.js';
import type { Notice, NoticedItem } from './notice.js';

/** An item as people read it. */
export interface DigestEntry {
  readonly label: string;
  readonly title: string;
  readonly url: string | null;
  /** `followers_count 1,200 → 1,310` */
  readonly changes: readonly string[];
}

/** A notice as people read it; each kind of target lays it out in its own way. */
export interface Digest {
  readonly headline: string;
  readonly entries: readonly DigestEntry[];
  readonly total: number;
  readonly link: string | null;
  readonly remarks: readonly string[];
}

const labels = { new: 'New', changed: 'Changed', found: 'Found' } as const;
const maxInput = 160;
const maxChanges = 8;

function titleOf({ data, source, input }: NoticedItem): string {
  const item = typeof data === 'object' && data !== null ? (data as Readonly<Record<string, unknown>>) : {};
  return itemTitle(item, source?.author) ?? source?.id ?? oneLine(JSON.stringify(input), maxInput);
}

function entryOf(item: NoticedItem): DigestEntry {
  const { changes } = item;
  const moreChanges = changes.length - maxChanges;
  return {
    label: labels[item.what],
    title: titleOf(item),
    url: item.source?.url ?? null,
    changes: [
      ...changes.slice(0, maxChanges).map(changeText),
      ...(moreChanges > 0 ? [`and ${moreChanges} more ${moreChanges === 1 ? 'field' : 'fields'}`] : []),
    ],
  };
}

/** `3 new, 1 changed: Weekly reviews` */
function headlineOf({ counts, name, endpoint }: Notice): string {
  const parts = (['new', 'changed', 'found'] as const)
    .filter((what) => counts[what] > 0)
    .map((what) => `${grouped(counts[what])} ${what}`);
  return `${parts.join(', ')}: ${oneLine(name ?? endpoint, 100)}`;
}

/** The digest of a notice. */
export function digestOf(notice: Notice): Digest {
  return {
    headline: headlineOf(notice),
    entries: notice.items.map(entryOf),
    total: notice.total,
    link: notice.all_at,
    remarks: notice.resumed
      ? ['The run was interrupted; what it found before that is in its results only.']
      : [],
  };
}

/** The first texts of entries that fit, by their characters or by another measure, and the line about the others; null where all of them do. */
export function fitted(
  { entries, total }: Digest,
  render: (entry: DigestEntry) => string,
  {
    max,
    maxEntries = entries.length,
    sizeOf = (text) => text.length,
  }: { readonly max: number; readonly maxEntries?: number; readonly sizeOf?: (text: string) => number },
): { readonly texts: readonly string[]; readonly more: string | null } {
  const texts: string[] = [];
  let size = 0;
  for (const entry of entries.slice(0, maxEntries)) {
    const text = render(entry);
    size += sizeOf(text) + 1;
    if (size > max) break;
    texts.push(text);
  }
  const moreItems = total - texts.length;
  return { texts, more: moreItems === 0 ? null : `and ${grouped(moreItems)} more` };
}
