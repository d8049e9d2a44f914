import { Readable } from 'node:stream';
import { DuckDBInstance } from '@duckdb/node-api';
import type { Endpoint } from '../../../lib/endpoint.js';
import { endpoints } from '../../../lib/endpoints.js';
import type { ItemSource } from '../../../lib/read/item-source.js';
import { casesOf } from '../../../lib/samples.js';
import type { FileKind } from '../../../src/files/result-files/file-kind.js';
import { writeFromLines } from '../../../src/files/result-files/write-file.js';
import { expectedAnswers } from '../../support/cases.js';

export type Item = Readonly<Record<string, unknown>>;

/** One input with its answer or its error. */
export interface ExpectedLine {
  readonly input: unknown;
  readonly data?: unknown;
  readonly sources?: readonly ItemSource[];
  readonly error?: { readonly code: string; readonly message: string };
  readonly changed?: unknown;
}

export const endpointOf = (name: Endpoint['path']) => endpoints.find(({ path }) => path === name) as Endpoint;

/** What the cases of an endpoint become, as answers to inputs, with a failed input at the end. */
export async function answersOf(endpoint: Endpoint): Promise<ExpectedLine[]> {
  const answers: ExpectedLine[] = [];
  for (const one of await casesOf(endpoint)) {
    if (one.error !== undefined) continue;
    const pages = expectedAnswers(endpoint, one);
    // No two inputs are the same, as an answer without identifiers belongs to its input.
    answers.push({ input: { ...one.params, case: one.name }, data: endpoint.many ? pages.flat() : pages[0] });
  }
  return [...answers, { input: { nothing: '=1+1' }, error: { code: 'place_not_found', message: 'None.' } }];
}

export const itemsOf = ({ many }: Endpoint, answers: readonly ExpectedLine[]): Item[] =>
  answers.flatMap(({ data }) => (data === undefined ? [] : many ? (data as Item[]) : [data as Item]));

/** Result lines, split into chunks at awkward positions. */
export function chunksOf(answers: readonly ExpectedLine[], chunkBytes = 1000): AsyncIterable<Uint8Array> {
  const bytes = Buffer.from(answers.map((answer) => `${JSON.stringify(answer)}\n`).join(''));
  const chunks = Array.from({ length: Math.ceil(bytes.length / chunkBytes) }, (_, at) =>
    bytes.subarray(at * chunkBytes, (at + 1) * chunkBytes),
  );
  return Readable.from(chunks);
}

/** Writes answers into a file as the batch does. */
export function writeAnswers(
  endpoint: Endpoint,
  kind: FileKind,
  file: string,
  answers: readonly ExpectedLine[],
  more: {
    readonly append?: boolean;
    readonly groupRows?: number;
    readonly id?: string;
    readonly onlyNew?: boolean;
    readonly sources?: boolean;
  } = {},
): Promise<void> {
  const { id = 'run_1', ...options } = more;
  const run = { id, at: '2026-11-22T00:00:00.000Z' };
  return writeFromLines({ endpoint, inputs: true, kind, file, run, ...options }, () => chunksOf(answers));
}

/** Rows that DuckDB gives for a query, each as the JSON that DuckDB makes of it. */
export async function duckdb(query: string): Promise<Item[]> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  try {
    const rows = await connection.runAndReadAll(`SELECT to_json(t)::VARCHAR AS row FROM (${query}) t`);
    return rows.getRowObjects().map(({ row }) => JSON.parse(String(row)) as Item);
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}
