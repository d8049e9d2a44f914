import path from 'node:path';

/** Kinds of files that results are written to, by the command and by a server. */
export const fileKinds = ['ndjson', 'csv', 'xlsx', 'sqlite', 'parquet'] as const;
export type FileKind = (typeof fileKinds)[number];

/** Kinds that the command writes: lines of NDJSON are an array of JSON and tabs are commas where a program is at hand. */
export const outputKinds = [...fileKinds, 'json', 'tsv'] as const;
export type OutputKind = (typeof outputKinds)[number];

/** Kinds that are lines from the first to the last: a file can be continued behind any of them. */
const ofLines: ReadonlySet<OutputKind> = new Set(['ndjson', 'csv', 'tsv']);

/** Kinds that cannot be continued in the middle: they are written whole, from lines of NDJSON. */
export type BuiltKind = Exclude<OutputKind, 'ndjson' | 'csv' | 'tsv'>;

/** The endings of a file's name, and the kinds they stand for. */
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

/** The ending of a file's name, such as `.csv`; empty for none. */
export const endingOf = (file: string) => path.extname(file).toLowerCase();

/** The endings of some kinds. */
export function endingsOf(kinds: readonly OutputKind[]): readonly string[] {
  return Object.keys(kindOfEnding).filter((ending) => kinds.includes(kindOfEnding[ending] as OutputKind));
}

/** The kind that a file's name says: NDJSON where it has no ending, and null where its ending is of no kind. */
export function kindOfName(file: string): OutputKind | null {
  const ending = endingOf(file);
  return ending === '' ? 'ndjson' : (kindOfEnding[ending] ?? null);
}

/** True for a kind that is written whole. */
export function isBuilt(kind: OutputKind): kind is BuiltKind {
  return !ofLines.has(kind);
}

/** True for a kind of file that later results may be added to. */
export const isAppendable = (kind: OutputKind) => kind === 'sqlite' || ofLines.has(kind);

/** Media types of the kinds. */
export const contentTypes: Readonly<Record<FileKind, string>> = {
  ndjson: 'application/x-ndjson; charset=utf-8',
  csv: 'text/csv; charset=utf-8; header=present',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  sqlite: 'application/vnd.sqlite3',
  parquet: 'application/vnd.apache.parquet',
};
