import type { ItemSource } from '../../lib/read/item-source.js';

type Fields = Readonly<Record<string, unknown>>;

/** Fields that name an item, that name who made it, and that hold what they wrote; the best first. */
const nameFields = ['name', 'full_name', 'title', 'display_name'];
const authorFields = ['username', 'author'];
const textFields = ['caption', 'video_description', 'text', 'headline', 'description'];

const maxTitle = 160;
const maxValue = 80;

/** Marks that turn the direction of what follows them, where they stand and in the lines around. */
const directions = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/**
 * A text on one line, cut where it is long. No part of it can begin a line of its own, or be read backwards.
 */
export function oneLine(text: string, max: number): string {
  // Its beginning alone is looked at: a text may have tens of kilobytes.
  const line = text
    .slice(0, 20 * max)
    .replace(directions, '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  const characters = [...line];
  if (characters.length <= max) return line;
  const beginning = characters.slice(0, max - 1).join('');
  return `${beginning.trimEnd()}…`;
}

/** The first field that is a text with something in it. */
function firstText(item: Fields, fields: readonly string[]): string | null {
  const found = fields
    .map((field) => item[field])
    .find((value) => typeof value === 'string' && value.trim() !== '');
  return typeof found === 'string' ? found : null;
}

/**
 * An item's title: its own name; else who made it, and the beginning of what they wrote. Null for one that says none of
 * these. `author`: where the item itself does not name them.
 */
export function itemTitle(item: Fields, author: ItemSource['author'] = null): string | null {
  const name = firstText(item, nameFields);
  if (name !== null) return oneLine(name, maxTitle);
  const handle = author?.handle == null ? null : `@${author.handle}`;
  const parts = [firstText(item, authorFields) ?? author?.name ?? handle, firstText(item, textFields)].filter(
    (part) => part !== null,
  );
  return parts.length === 0 ? null : oneLine(parts.join(': '), maxTitle);
}

/** Fields whose numbers are never grouped: a year, and sizes in pixels. */
const ungrouped = /^(founded|width|height)$/;

/** A number of a field that has a name: a count has its thousands apart, whatever its size. */
export function namedNumber(name: string, value: number): string {
  return ungrouped.test(name) || !Number.isInteger(value) ? String(value) : value.toLocaleString('en-US');
}

/** A value in a line: a text, a number, anything else as JSON. */
export function valueText(value: unknown): string {
  if (value === null || value === undefined) return 'unknown';
  if (typeof value === 'number') return value.toLocaleString('en-US', { maximumFractionDigits: 6 });
  return oneLine(typeof value === 'string' ? value : JSON.stringify(value), maxValue) || '“”';
}

/** `followers_count 1,200 → 1,310` */
export const changeText = ({
  field,
  before,
  after,
}: {
  readonly field: string | null;
  readonly before: unknown;
  readonly after: unknown;
}) => `${field} ${valueText(before)} → ${valueText(after)}`;
