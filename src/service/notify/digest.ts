import { changeText, itemTitle, oneLine, valueText } from '../../output/item-text.js';
import { integerText } from '../../output/number-text.js';
import type { Notice, NoticedItem } from './notice.js';

/** An item in the form shown to people. */
export interface DigestEntry {
  readonly label: string;
  readonly title: string;
  readonly url: string | null;
  /** The input, and what changed: `followers_count 1,200 → 1,310` */
  readonly details: readonly string[];
}

/** A notice in the form shown to people. Each kind of target has its own layout. */
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
const maxColumns = 4;
const maxAbout = 200;

/** Columns that name the subject of a line. */
const nameColumn = /^(?:name|title|place|account|company)$/i;

/** Returns the texts of an input; the first is its subject. */
const inputTexts = (input: unknown) =>
  typeof input === 'object' && input !== null
    ? Object.values(input).filter((value) => typeof value === 'string' && value !== '')
    : [];

/** Returns what an item belongs to, and the user's own columns: `Harbour Café (campaign: spring)`. */
function aboutOf({ input, own = {}, data }: NoticedItem): string[] {
  const columns = Object.entries(own).filter(([, value]) => value !== null && value !== '');
  const nameEntry = columns.find(([column]) => nameColumn.test(column));
  const name = nameEntry?.[1] ?? inputTexts(input)[0];
  const others = columns.filter((column) => column !== nameEntry).slice(0, maxColumns);
  const columnsText = others.map(([column, value]) => `${column}: ${valueText(value)}`).join(', ');
  const isTitle = itemTitle((data ?? {}) as Readonly<Record<string, unknown>>) === name;
  const parts = [
    ...(name === undefined || isTitle ? [] : [String(name)]),
    ...(columnsText === '' ? [] : [`(${columnsText})`]),
  ];
  return parts.length === 0 ? [] : [oneLine(parts.join(' '), maxAbout)];
}

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
    details: [
      ...aboutOf(item),
      ...changes.slice(0, maxChanges).map(changeText),
      ...(moreChanges > 0 ? [`and ${moreChanges} more ${moreChanges === 1 ? 'field' : 'fields'}`] : []),
    ],
  };
}

/** `3 new, 1 changed: Weekly reviews`; `80 remembered, none reported: maps/reviews` for a first run. */
function headlineOf({ counts, known = 0, stopped = null, name, endpoint }: Notice): string {
  const parts = (['new', 'changed', 'found'] as const)
    .filter((what) => counts[what] > 0)
    .map((what) => `${integerText(counts[what])} ${what}`);
  if (known > 0) parts.push(`${integerText(known)} remembered, none reported`);
  if (stopped !== null) parts.push('stopped early');
  return `${parts.join(', ')}: ${oneLine(name ?? endpoint, 100)}`;
}

export function digestOf(notice: Notice): Digest {
  const { known = 0, stopped = null } = notice;
  return {
    headline: headlineOf(notice),
    entries: notice.items.map(entryOf),
    total: notice.total,
    link: notice.all_at,
    remarks: [
      ...(stopped === null ? [] : [oneLine(`The run ended before its last input. ${stopped}`, 500)]),
      ...(known === 0
        ? []
        : ['The first run under a name reports nothing; later runs are compared with it.']),
    ],
  };
}

/**
 * Returns the texts of the first entries that fit, by characters or another measure, and the line about the rest; null
 * if all fit.
 */
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
  return { texts, more: moreItems === 0 ? null : `and ${integerText(moreItems)} more` };
}
