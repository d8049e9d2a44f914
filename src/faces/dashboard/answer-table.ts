export type CellValue = string | number | boolean;

/** An answer as rows and columns; an object has one row. */
export interface AnswerTable {
  readonly columns: readonly string[];
  readonly rows: readonly Readonly<Record<string, CellValue | undefined>>[];
  /** Number of fields that did not fit and are only in the JSON. */
  readonly omitted: number;
}

type Item = Readonly<Record<string, unknown>>;

/** More columns would be too narrow to read. */
const maxListColumns = 6;
const maxCellLength = 160;

const isUrl = (value: unknown) => typeof value === 'string' && /^https?:\/\//.test(value);

/** Returns the text of a cell; undefined for null, and for values that only JSON can show. */
function cellOf(value: unknown): CellValue | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  if (typeof value === 'string' && value !== '') {
    const letters = [...value];
    return letters.length > maxCellLength ? `${letters.slice(0, maxCellLength - 1).join('')}…` : value;
  }
  if (Array.isArray(value) && value.length > 0) {
    return value.every((one) => typeof one === 'string') ? cellOf(value.join(', ')) : `${value.length} items`;
  }
  return undefined;
}

/** Fields that the endpoint prefers come first, then names and numbers, then addresses, then IDs. */
function rankOf(name: string, items: readonly Item[], preferred: readonly string[]): number {
  const at = preferred.indexOf(name);
  if (at >= 0) return at - preferred.length;
  if (name === 'id' || name.endsWith('_id')) return 3;
  return items.some((item) => isUrl(item[name])) ? 2 : 1;
}

/**
 * Builds the table of an answer's data: a row per field for an object, a row per item for a list. `preferred` are the
 * fields of a list that people look at first.
 */
export function answerTable(data: unknown, preferred: readonly string[] = []): AnswerTable {
  const items = [data].flat().filter((item): item is Item => typeof item === 'object' && item !== null);
  const names = [...new Set(items.flatMap((item) => Object.keys(item)))];
  const filled = names
    .filter((name) => items.some((item) => cellOf(item[name]) !== undefined))
    .sort((a, b) => rankOf(a, items, preferred) - rankOf(b, items, preferred));
  const columns = Array.isArray(data) ? filled.slice(0, maxListColumns) : filled;
  const rows = items.map((item) => Object.fromEntries(columns.map((name) => [name, cellOf(item[name])])));
  return { columns, rows, omitted: names.length - columns.length };
}
