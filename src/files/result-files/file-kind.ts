/** Kinds of files that results are written to. */
export const fileKinds = ['ndjson', 'csv', 'xlsx', 'sqlite', 'parquet'] as const;
export type FileKind = (typeof fileKinds)[number];

/** Kinds that cannot be continued in the middle: they are written whole, from lines of NDJSON. */
export type BuiltKind = Exclude<FileKind, 'ndjson' | 'csv'>;

const endings: readonly (readonly [RegExp, FileKind])[] = [
  [/\.csv$/i, 'csv'],
  [/\.xlsx$/i, 'xlsx'],
  [/\.(sqlite3?|db)$/i, 'sqlite'],
  [/\.parquet$/i, 'parquet'],
];

/** The kind that a file's name says; NDJSON where it says none. */
export function kindOfName(file: string): FileKind {
  return endings.find(([ending]) => ending.test(file))?.[1] ?? 'ndjson';
}

/** True for a kind that is written whole. */
export function isBuilt(kind: FileKind): kind is BuiltKind {
  return kind !== 'ndjson' && kind !== 'csv';
}

/** Media types of the kinds. */
export const contentTypes: Readonly<Record<FileKind, string>> = {
  ndjson: 'application/x-ndjson; charset=utf-8',
  csv: 'text/csv; charset=utf-8; header=present',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  sqlite: 'application/vnd.sqlite3',
  parquet: 'application/vnd.apache.parquet',
};
