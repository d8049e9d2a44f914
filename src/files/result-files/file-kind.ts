import path from 'node:path';

/** Kinds of result files, for the command and a server. */
export const fileKinds = ['ndjson', 'csv', 'xlsx', 'sqlite', 'parquet'] as const;
export type FileKind = (typeof fileKinds)[number];

/** Kinds that only the command writes: NDJSON as a JSON array, and CSV with tabs. */
export const outputKinds = [...fileKinds, 'json', 'tsv'] as const;
export type OutputKind = (typeof outputKinds)[number];

/** Kinds that consist of lines, so that a file can be continued after any of them. */
const ofLines: ReadonlySet<OutputKind> = new Set(['ndjson', 'csv', 'tsv']);

/** Kinds that are built from NDJSON lines at the end, because they cannot be continued in the middle. */
export type BuiltKind = Exclude<OutputKind, 'ndjson' | 'csv' | 'tsv'>;

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

export const endingOf = (file: string) => path.extname(file).toLowerCase();

export function endingsOf(kinds: readonly OutputKind[]): readonly string[] {
  return Object.keys(kindOfEnding).filter((ending) => kinds.includes(kindOfEnding[ending] as OutputKind));
}

/** Returns the kind by a file's extension: NDJSON without one, null for an unknown one. */
export function kindOfName(file: string): OutputKind | null {
  const ending = endingOf(file);
  return ending === '' ? 'ndjson' : (kindOfEnding[ending] ?? null);
}

export function isBuilt(kind: OutputKind): kind is BuiltKind {
  return !ofLines.has(kind);
}

/** True if later results may be appended to a file of this kind. */
export const isAppendable = (kind: OutputKind) => kind === 'sqlite' || ofLines.has(kind);

export const contentTypes: Readonly<Record<FileKind, string>> = {
  ndjson: 'application/x-ndjson; charset=utf-8',
  csv: 'text/csv; charset=utf-8; header=present',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  sqlite: 'application/vnd.sqlite3',
  parquet: 'application/vnd.apache.parquet',
};
