import { namedNumber } from '../../../output/item-text.js';
import { printable, printableLine } from '../printable.js';

/** The text of an absent value. */
export const absent = '–';

/** Years and small ids stay as they are; larger numbers are grouped. */
function numberText(value: number): string {
  if (!Number.isInteger(value) || Math.abs(value) < 10_000) return String(value);
  return value.toLocaleString('en-US');
}

/** The numbers of a column alike: all with the same decimals, and all with their thousands apart or none. */
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

/** A value that is neither list nor object, as people read it. */
export function scalarText(value: unknown): string {
  if (value === null || value === undefined) return absent;
  if (typeof value === 'number') return numberText(value);
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  const [, day, minute] = time.exec(String(value)) ?? [];
  return day === undefined ? printable(String(value)) : `${day} ${minute}Z`;
}

const isObject = (value: unknown): value is object => value !== null && typeof value === 'object';

/** An object inside a list, on one line: what is known of it. */
export function summary(value: unknown): string {
  if (!isObject(value)) return printableLine(scalarText(value));
  if (Array.isArray(value)) return listText(value);
  const parts = Object.entries(value)
    .filter(([, part]) => part !== null && part !== '')
    .map(([key, part]) => (typeof part === 'string' ? printableLine(part) : `${key} ${summary(part)}`));
  return parts.length === 0 ? absent : parts.join(' · ');
}

/** A list on one line: its words, or how many objects it has. */
export function listText(list: readonly unknown[]): string {
  if (list.length === 0) return 'none';
  if (list.some(isObject)) return `${list.length} ${list.length === 1 ? 'item' : 'items'}`;
  return list.map((item) => printableLine(scalarText(item))).join(', ');
}

/** A value as a cell of a table. */
export function cellText(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? absent : listText(value);
  return isObject(value) ? summary(value) : printableLine(scalarText(value));
}
