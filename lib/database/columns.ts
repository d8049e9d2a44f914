import type { ColumnTypes, RecordColumns } from './dialect.js';

interface Values {
  readonly id: string;
  readonly text: string;
  readonly integer: number;
  readonly flag: boolean;
  readonly bytes: Buffer;
  readonly 'id?': string | null;
  readonly 'text?': string | null;
  readonly 'integer?': number | null;
}

/** A table's columns with their types; `?` marks nullable ones. */
export type Columns = Readonly<Record<string, keyof Values>>;

/** A row with these columns. */
export type RowOf<Of extends Columns> = { readonly [Name in keyof Of]: Values[Of[Name]] };

const isNullable = (type: string) => type.endsWith('?');
const typeOf = (type: string) => type.replace('?', '') as 'id' | 'text' | 'integer' | 'flag' | 'bytes';

/** Formats a table's columns, with the constraints that some types carry. */
export function declareColumns<Of extends Columns>(
  columns: Of,
  types: ColumnTypes,
  rules: { readonly [Name in keyof Of]?: string } = {},
): string {
  return Object.entries(columns)
    .map(([name, type]) => [name, types[typeOf(type)], isNullable(type) ? '' : 'NOT NULL', rules[name] ?? ''])
    .map((words) => words.filter((word) => word !== '').join(' '))
    .join(',\n');
}

/** Returns the columns for passing rows as records. */
export function recordColumns<Of extends Readonly<Record<string, Exclude<keyof Values, 'bytes'>>>>(
  columns: Of,
): Record<keyof Of, RecordColumns[string]> {
  const types = Object.entries(columns).map(([name, type]) => [name, typeOf(type).replace('id', 'text')]);
  return Object.fromEntries(types);
}
