import { namedNumber } from '../../../output/item-text.js';
import { printable, printableLine } from '../printable.js';

/** The text for a missing value. */
export const absent = '–';

/** Formats a number: years and small ids unchanged, larger numbers with thousands separators. */
function numberText(value: number): string {
  if (!Number.isInteger(value) || Math.abs(value) < 10_000) return String(value);
  return value.toLocaleString('en-US');
}

/** Returns a format for the numbers of a column: the same decimals, and thousands separators for all or none. */
export function numberFormat(name: string, values: readonly unknown[]): (value: number) => string {
  const numbers = values.filter((value) => typeof value === 'number');
  const decimals = Math.max(0, ...numbers.map((one) => String(one).split('.')[1]?.length ?? 0));
  if (decimals > 0) {
    return (value) =>
      value.toLocaleString('en-US', { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
  }
  return (value) => namedNumber(name, value);
}

const time = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}):\d{2}(\.\d+)?Z$/;

export function scalarText(value: unknown): string {
  if (value === null || value === undefined) return absent;
  if (typeof value === 'number') return numberText(value);
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  const [, day, minute] = time.exec(String(value)) ?? [];
  return day === undefined ? printable(String(value)) : `${day} ${minute}Z`;
}

const isObject = (value: unknown): value is object => value !== null && typeof value === 'object';

/** Summarises an object inside a list on one line. */
export function summary(value: unknown): string {
  if (!isObject(value)) return printableLine(scalarText(value));
  if (Array.isArray(value)) return listText(value);
  const parts = Object.entries(value)
    .filter(([, part]) => part !== null && part !== '')
    .map(([key, part]) => (typeof part === 'string' ? printableLine(part) : `${key} ${summary(part)}`));
  return parts.length === 0 ? absent : parts.join(' · ');
}

/** Formats a list on one line: its words, or its number of objects. */
export function listText(list: readonly unknown[]): string {
  if (list.length === 0) return 'none';
  if (list.some(isObject)) return `${list.length} ${list.length === 1 ? 'item' : 'items'}`;
  return list.map((item) => printableLine(scalarText(item))).join(', ');
}

export function cellText(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? absent : listText(value);
  return isObject(value) ? summary(value) : printableLine(scalarText(value));
}
