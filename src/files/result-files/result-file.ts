import type { Coverage } from '../../../lib/call/coverage.js';
import type { Endpoint } from '../../../lib/endpoint.js';
import type { ItemSource } from '../../../lib/read/item-source.js';
import type { CsvStyle } from '../../output/csv-cells.js';
import type { Selection } from '../../output/selection.js';
import type { OutputKind } from './file-kind.js';

/** Values that a user's own file had beside the parameters, by the names of their columns. */
export type OwnValues = Readonly<Record<string, unknown>>;

/** The answer to one input: items (one for an endpoint that answers an object), an error, or items and why no more came. */
export interface InputAnswer {
  readonly input: unknown;
  /** Place of the input among all, from 0. */
  readonly index: number;
  /** The user's own columns beside the parameters. */
  readonly own?: OwnValues | undefined;
  readonly items: readonly unknown[];
  /** Where each item stands, in order, where it is known. */
  readonly sources?: readonly ItemSource[] | undefined;
  /** Place of the first item in the whole answer: above 0 for a later page of the same listing. */
  readonly from: number;
  readonly error: { readonly code: string; readonly message: string } | null;
  /** How much of what was asked for it is, where that came along. */
  readonly coverage?: Coverage | undefined;
  /** Characters of its line, where it came as one. */
  readonly length?: number;
  /** The changes of an object since the run before, where only what is new is given. */
  readonly changed?: unknown;
}

/** A file that is being written. */
export interface ResultFileWriter {
  /** Adds an answer. Returns a promise when the caller must wait before it adds more. */
  add(answer: InputAnswer): Promise<void> | void;
  /** Begins the sheets of another endpoint. Set for workbooks alone. */
  next?(shape: ResultFileShape): Promise<void>;
  /** Completes the file and closes it. */
  end(): Promise<void>;
  /** Closes it incomplete. */
  abort(): Promise<void>;
}

/** The content of a file, whatever its kind. */
export interface ResultFileShape {
  readonly endpoint: Endpoint;
  /** The name of its sheets, if a workbook holds several endpoints. */
  readonly title?: string | undefined;
  /** True where several inputs are answered: columns say which, and which failed. */
  readonly inputs: boolean;
  /** Columns of the user's own file that are carried into this one. */
  readonly own?: readonly string[] | undefined;
  /** The parameters that its inputs give, where that is known before: a sheet has no columns of others. */
  readonly given?: ReadonlySet<string> | undefined;
  /** True where columns say where each item stands. */
  readonly sources?: boolean;
  /** True for a run with `--new`: columns say what changed of objects, a row for each field. */
  readonly news?: boolean;
}

/** Whether a file has the columns of changes. */
export function recordsChanges({ endpoint, inputs, news = false }: ResultFileShape): boolean {
  return news && inputs && !endpoint.many;
}

/** The rows, and the file they are written to. */
export interface ResultFileOptions extends ResultFileShape {
  readonly kind: OutputKind;
  readonly file: string;
  /** Names the run in a database: unique for ever, and the same when the run is repeated. */
  readonly run: { readonly id: string; readonly at: string };
  /** Adds to the database that is there, in one transaction. */
  readonly append?: boolean;
  /** The chosen fields, for the kinds that can leave fields out; all of them by default. */
  readonly selection?: Selection | undefined;
  /** How CSV is written. */
  readonly csv?: CsvStyle;
  /** Rows of a group of Parquet, at most: fewer where nobody may wait for a large one. */
  readonly groupRows?: number | undefined;
}

/** Parameters of how a call runs, which no column shows. */
const ofTheCall: ReadonlySet<string> = new Set(['cursor', 'fresh', 'demo', 'sources']);

/** Parameters that identify an input, in the documented order. */
export function inputParams({ params }: Pick<Endpoint, 'params'>): readonly string[] {
  return Object.keys(params).filter((name) => !ofTheCall.has(name));
}
