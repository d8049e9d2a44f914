import type { Coverage } from '../../../lib/call/coverage.js';
import type { Endpoint } from '../../../lib/endpoint.js';
import type { ItemSource } from '../../../lib/read/item-source.js';
import type { Sink } from '../../lines/sink.js';
import type { CsvStyle } from '../../output/csv-cells.js';
import type { Selection } from '../../output/selection.js';
import type { OutputKind } from './file-kind.js';

/** The user's own values next to the parameters, by column name. */
export type OwnValues = Readonly<Record<string, unknown>>;

/**
 * The answer to one input: items (one for an endpoint that returns an object), an error, or items and why no more
 * followed.
 */
export interface InputAnswer {
  readonly input: unknown;
  /** Index of the input. */
  readonly index: number;
  /** The user's own columns next to the parameters. */
  readonly own?: OwnValues | undefined;
  readonly items: readonly unknown[];
  /** The source of each item, in order, if known. */
  readonly sources?: readonly ItemSource[] | undefined;
  /** Index of the first item in the complete answer: above 0 for a later page of the same list. */
  readonly from: number;
  readonly error: { readonly code: string; readonly message: string } | null;
  /** How complete it is, if known. */
  readonly coverage?: Coverage | undefined;
  /** The changes of an object since the previous run, if only news is returned. */
  readonly changed?: unknown;
}

/** A file being written. */
export interface ResultFileWriter extends Sink<InputAnswer> {
  /** Starts the sheets of another endpoint. Only for workbooks. */
  next?(shape: ResultFileShape): Promise<void>;
  /** Closes it without completing it. */
  abort(): Promise<void>;
}

/** The content of a file, whatever its kind. */
export interface ResultFileShape {
  readonly endpoint: Endpoint;
  /** The name of its sheets, if a workbook contains several endpoints. */
  readonly title?: string | undefined;
  /** True for answers to several inputs, which columns identify, including failed ones. */
  readonly inputs: boolean;
  /** Columns of the user's own file that are carried into this one. */
  readonly own?: readonly string[] | undefined;
  /** The parameters that its inputs have, if known in advance; a sheet omits the columns of others. */
  readonly given?: ReadonlySet<string> | undefined;
  /** True if columns hold the source of each item. */
  readonly sources?: boolean;
  /** True for a run with `--new`: columns hold the changes of objects, one row per field. */
  readonly onlyNew?: boolean;
}

/** True if a file has the columns for changes. */
export function recordsChanges({ endpoint, inputs, onlyNew = false }: ResultFileShape): boolean {
  return onlyNew && inputs && !endpoint.many;
}

/** The rows, and the file they are written to. */
export interface ResultFileOptions extends ResultFileShape {
  readonly kind: OutputKind;
  readonly file: string;
  /** Identifies the run in a database: globally unique, and the same when the run is repeated. */
  readonly run: { readonly id: string; readonly at: string };
  /** Appends to the existing database, in one transaction. */
  readonly append?: boolean;
  /** The selected fields, for kinds that can omit fields; all of them by default. */
  readonly selection?: Selection | undefined;
  /** How CSV is written. */
  readonly csv?: CsvStyle;
  /** Maximum rows of a Parquet group: fewer if nothing may wait for a large one. */
  readonly groupRows?: number | undefined;
}

/** Parameters of how a call runs, which have no columns. */
const ofTheCall: ReadonlySet<string> = new Set(['cursor', 'fresh', 'demo', 'sources']);

/** Returns the parameters that identify an input, in the documented order. */
export function inputParams({ params }: Pick<Endpoint, 'params'>): readonly string[] {
  return Object.keys(params).filter((name) => !ofTheCall.has(name));
}
