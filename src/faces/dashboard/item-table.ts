import type { Endpoint } from '../../../lib/endpoint.js';
import { namedNumber } from '../../output/item-text.js';
import { type Column, interestingColumns, select, valueAt } from '../../output/selection.js';

/** Items of an answer as texts: a row per item. */
export interface ItemTable {
  readonly columns: readonly { readonly title: string; readonly numeric: boolean }[];
  readonly rows: readonly (readonly string[])[];
}

/** More columns would be too narrow to read. */
const maxColumns = 7;
const maxCharacters = 160;

function cellText(name: string, value: unknown): string {
  if (value === null || value === undefined || value === '') return '–';
  if (typeof value === 'number') return namedNumber(name, value);
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (!Array.isArray(value)) return shortened(typeof value === 'string' ? value : JSON.stringify(value));
  if (value.every((item) => typeof item === 'string')) return shortened(value.join(', ')) || '–';
  return value.length === 1 ? '1 item' : `${value.length} items`;
}

const shortened = (text: string) =>
  text.length > maxCharacters ? `${text.slice(0, maxCharacters - 1).toWellFormed()}…` : text;

/** Names come first, then numbers, other short values, long texts, and finally links and IDs. */
function rankOf({ name, numeric }: Column): number {
  if (/(^|_)(url|id|ids|urls|urn)$/.test(name)) return 4;
  if (/(^|[._])(name|username|title|headline)$/.test(name)) return 0;
  if (/(^|_)(about|bio|biography|description|text|caption)$/.test(name)) return 3;
  return numeric ? 1 : 2;
}

/** Returns the columns of an object, the most interesting first, or those that a list prefers. */
function columnsOf({ returns, many, columns: preferred }: Endpoint): readonly Column[] {
  const { columns } = select(returns, many, null);
  if (preferred !== undefined) return interestingColumns({ columns, preferred });
  return columns.toSorted((a, b) => rankOf(a) - rankOf(b));
}

/** Returns the most interesting values of items. */
export function itemTable(endpoint: Endpoint, items: readonly unknown[]): ItemTable {
  const columns = columnsOf(endpoint).slice(0, maxColumns);
  return {
    columns: columns.map(({ name, numeric }) => ({ title: name, numeric })),
    rows: items.map((item) => columns.map(({ name, path }) => cellText(name, valueAt(item, path)))),
  };
}

/** Returns the names and values of one object, without unknown and nested ones. */
export function itemDetails(endpoint: Endpoint, item: unknown): readonly (readonly [string, string])[] {
  return columnsOf(endpoint)
    .filter(({ path }) => path.length === 1)
    .map(({ name, path }) => [name, cellText(name, valueAt(item, path))] as const)
    .filter(([, text]) => text !== '–');
}
