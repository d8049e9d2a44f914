import type { ItemSource } from '../../lib/read/item-source.js';

type Fields = Readonly<Record<string, unknown>>;

/** Fields that name an item, name its author, and hold its text, in order of preference. */
const nameFields = ['name', 'full_name', 'title', 'display_name'];
const authorFields = ['username', 'author'];
const textFields = ['caption', 'video_description', 'text', 'headline', 'description'];

const maxTitle = 160;
const maxValue = 80;

/** Marks that change the direction of the text after them, in their line and in others. */
const directions = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Returns a text on one line, truncated if long. No part of it can start a new line or be displayed backwards. */
export function oneLine(text: string, max: number): string {
  // Only the start is processed: a text may have tens of kilobytes.
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

function firstText(item: Fields, fields: readonly string[]): string | null {
  const content = fields
    .map((field) => item[field])
    .find((value) => typeof value === 'string' && value.trim() !== '');
  return typeof content === 'string' ? content : null;
}

/**
 * Returns an item's title: its own name, or its author and the start of its text. Null for an item with neither.
 * `author` is used if the item itself does not name one.
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

const ungrouped = /^(founded|width|height)$/;

/** Formats the number of a named field. The thousands of a count are always grouped. */
export function namedNumber(name: string, value: number): string {
  return ungrouped.test(name) || !Number.isInteger(value) ? String(value) : value.toLocaleString('en-US');
}

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
