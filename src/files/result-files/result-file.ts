import type { Coverage } from '../../../lib/call/coverage.js';
import type { Endpoint } from '../../../lib/endpoint.js';
import type { ItemSource } from '../../../lib/read/item-source.js';
import type { Sink } from '../../lines/sink.js';
import type { CsvStyle } from '../../output/csv-cells.js';
import type { Selection } from '../../output/selection.js';
import type { OutputKind } from './file-kind.js';

export type OwnValues = Readonly<Record<string, unknown>>;

/** The answer to one input: items (one for an object), an error, or both for a partial list. */
export interface InputAnswer {
  readonly input: unknown;
  readonly index: number;
  readonly own?: OwnValues | undefined;
  readonly items: readonly unknown[];
  /** In order, if known. */
  readonly sources?: readonly ItemSource[] | undefined;
  /** Index of the first item in the list: above 0 for a later page. */
  readonly from: number;
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly coverage?: Coverage | undefined;
  /** The changes of an object since the previous run, with `--new`. */
  readonly changed?: unknown;
}

export interface ResultFileWriter extends Sink<InputAnswer> {
  /** Starts the sheets of another endpoint. Only for workbooks. */
  next?(shape: ResultFileShape): Promise<void>;
  /** Closes it without completing it. */
  abort(): Promise<void>;
}

/** The content of a file of any kind. */
export interface ResultFileShape {
  readonly endpoint: Endpoint;
  /** The name of its sheets, if a workbook contains several endpoints. */
  readonly title?: string | undefined;
  /** True for a file of several inputs, including failed ones. */
  readonly inputs: boolean;
  /** The user's columns. */
  readonly ownColumns?: readonly string[] | undefined;
  /** The parameters that occur, if known in advance; a sheet omits the others. */
  readonly usedParams?: ReadonlySet<string> | undefined;
  readonly sources?: boolean;
  /** True with `--new`: the file has the changes of objects, one row per field. */
  readonly onlyNew?: boolean;
}

export function recordsChanges({ endpoint, inputs, onlyNew = false }: ResultFileShape): boolean {
  return onlyNew && inputs && !endpoint.many;
}

export interface ResultFileOptions extends ResultFileShape {
  readonly kind: OutputKind;
  readonly file: string;
  /** Identifies the run in a database: globally unique, and the same when the run is repeated. */
  readonly run: { readonly id: string; readonly at: string };
  /** Appends to the existing database, in one transaction. */
  readonly append?: boolean;
  /** The selected fields, for kinds that can omit fields; all by default. */
  readonly selection?: Selection | undefined;
  readonly csv?: CsvStyle;
  /** Maximum rows of a Parquet group: fewer if nothing may wait for a large one. */
  readonly groupRows?: number | undefined;
}

/** Parameters that affect how a call runs, not what it returns. */
const ofTheCall: ReadonlySet<string> = new Set(['cursor', 'fresh', 'demo', 'sources']);

/** Returns the parameters that identify an input, in the documented order. */
export function inputParams({ params }: Pick<Endpoint, 'params'>): readonly string[] {
  return Object.keys(params).filter((name) => !ofTheCall.has(name));
}
