/** A value of an answer that fits into a cell. */
export type CellValue = string | number | boolean;

/** An answer as rows and columns: an object has one row. */
export interface AnswerTable {
  readonly columns: readonly string[];
  readonly rows: readonly Readonly<Record<string, CellValue | undefined>>[];
  /** Fields that did not fit, and are in the JSON. */
  readonly omitted: number;
}

type Item = Readonly<Record<string, unknown>>;

/** Columns of a list's table: more are too narrow to be read. */
const maxListColumns = 6;
/** Characters of a cell. */
const maxCellLength = 160;

const isUrl = (value: unknown) => typeof value === 'string' && /^https?:\/\//.test(value);

/** The text of a field's cell; undefined for what is null, and for what only JSON can show. */
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

/** The fields that the endpoint names come first, then names and numbers, then addresses, then IDs. */
function rankOf(name: string, items: readonly Item[], preferred: readonly string[]): number {
  const at = preferred.indexOf(name);
  if (at >= 0) return at - preferred.length;
  if (name === 'id' || name.endsWith('_id')) return 3;
  return items.some((item) => isUrl(item[name])) ? 2 : 1;
}

/**
 * The table of an answer's data. An object has a row for each of its fields, a list a row for each item; `preferred`
 * names the fields of a list that people look at first.
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
