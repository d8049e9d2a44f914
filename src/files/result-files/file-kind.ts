import path from 'node:path';

/** Kinds of result files, written by the command and by a server. */
export const fileKinds = ['ndjson', 'csv', 'xlsx', 'sqlite', 'parquet'] as const;
export type FileKind = (typeof fileKinds)[number];

/** Kinds that only the command writes as well: for NDJSON a JSON array, and for CSV tabs. */
export const outputKinds = [...fileKinds, 'json', 'tsv'] as const;
export type OutputKind = (typeof outputKinds)[number];

/** Kinds that consist of lines, so that a file can be continued after any of them. */
const ofLines: ReadonlySet<OutputKind> = new Set(['ndjson', 'csv', 'tsv']);

/** Kinds that cannot be continued in the middle: they are built at the end from NDJSON lines. */
export type BuiltKind = Exclude<OutputKind, 'ndjson' | 'csv' | 'tsv'>;

/** File extensions, and the kinds they mean. */
const kindOfEnding: Readonly<Record<string, OutputKind>> = {
  '.ndjson': 'ndjson',
  '.jsonl': 'ndjson',
  '.json': 'json',
  '.csv': 'csv',
  '.tsv': 'tsv',
  '.xlsx': 'xlsx',
  '.sqlite': 'sqlite',
  '.sqlite3': 'sqlite',
  '.db': 'sqlite',
  '.parquet': 'parquet',
};

/** Returns the extension of a file, such as `.csv`; empty for none. */
export const endingOf = (file: string) => path.extname(file).toLowerCase();

/** Returns the extensions of some kinds. */
export function endingsOf(kinds: readonly OutputKind[]): readonly string[] {
  return Object.keys(kindOfEnding).filter((ending) => kinds.includes(kindOfEnding[ending] as OutputKind));
}

/** Returns the kind that a file's name indicates: NDJSON without an extension, and null for an unknown one. */
export function kindOfName(file: string): OutputKind | null {
  const ending = endingOf(file);
  return ending === '' ? 'ndjson' : (kindOfEnding[ending] ?? null);
}

/** True for a kind that is built at the end. */
export function isBuilt(kind: OutputKind): kind is BuiltKind {
  return !ofLines.has(kind);
}

/** True for a kind of file that later results may be appended to. */
export const isAppendable = (kind: OutputKind) => kind === 'sqlite' || ofLines.has(kind);

/** Media types of the kinds. */
export const contentTypes: Readonly<Record<FileKind, string>> = {
  ndjson: 'application/x-ndjson; charset=utf-8',
  csv: 'text/csv; charset=utf-8; header=present',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  sqlite: 'application/vnd.sqlite3',
  parquet: 'application/vnd.apache.parquet',
};
