import type { Endpoint } from '../../../../lib/endpoint.js';
import { ExtractError } from '../../../../lib/errors/extract-error.js';
import type { ItemSource } from '../../../../lib/read/item-source.js';
import { select } from '../../../output/selection.js';
import { changeColumns } from '../change-columns.js';
import { inputValue } from '../input-columns.js';
import { type InputAnswer, inputParams, type OwnValues } from '../result-file.js';
import { type CarriedColumn, carriedColumns, errorColumns, repeatedName } from '../result-headings.js';
import { sourceColumns } from '../source-columns.js';
import { type Cells, isEmpty, itemOfCells } from './item-of-cells.js';

export interface TableRow {
  /** Its position, for an error: “line 3”. */
  readonly position: string;
  /** Throws a sentence if a cell is unreadable. */
  cells(): Cells;
  /** The object of the row, if the file stores nested values. */
  readonly item?: unknown;
}

/** A table of results, as stored in its file. */
export interface ResultTable {
  /** In order; inner objects use dots. */
  readonly names: readonly string[];
  rows(): AsyncIterable<TableRow>;
}

/** What the columns reveal about a table. */
export interface TableShape {
  readonly inputs: boolean;
  readonly sources: boolean;
  readonly ownColumns: readonly string[];
}

const ofSources = sourceColumns.map(({ name }) => name);

/** Returns the shape of a table. Throws a sentence if columns are missing or unrelated to the endpoint. */
export function tableShape(endpoint: Endpoint, names: readonly string[]): TableShape {
  const there = new Set(names);
  const { own: ownNames, inputs: ofInputs } = carriedColumns(endpoint, names);
  const inputs = there.has('error.code');
  const sources = ofSources.some((name) => there.has(name));
  const fields = select(endpoint.returns, endpoint.many, null).columns.map(({ name }) => name);
  const expectedColumns = [...fields, ...(inputs ? errorColumns : []), ...(sources ? ofSources : [])];
  if (changeColumns.every((name) => there.has(name) && !expectedColumns.includes(name)))
    throw new Error('it has a row for each change of an object, as --new writes them');
  const missing = expectedColumns.find((name) => !there.has(name));
  if (missing !== undefined) throw new Error(`it has no column ${missing}`);
  const params = inputParams(endpoint);
  // A sheet only has columns for parameters that were set. Items without inputs carry nothing.
  const allowed = new Set([
    ...expectedColumns,
    ...(inputs ? [...ownNames, ...ofInputs.filter(({ name }) => params.includes(name))] : []).map(
      ({ heading }) => heading,
    ),
  ]);
  const other = names.find((name) => !allowed.has(name));
  if (other !== undefined)
    throw new Error(`its column ${JSON.stringify(other)} is not a field of ${endpoint.path}`);
  const repeated = repeatedName(ownNames) ?? repeatedName(ofInputs);
  if (repeated !== undefined) throw new Error(`it has two columns ${repeated}`);
  if (inputs && endpoint.many && !sources)
    throw new Error('without input_index (--no-sources) its rows do not show which input they belong to');
  return { inputs, sources, ownColumns: ownNames.map(({ name }) => name) };
}

const valueOrNull = <Value>(cell: Value) => (isEmpty(cell) ? null : cell);

/** Returns the source of an item as far as there are columns: an author's ID and page have none. */
function sourceOf(cells: Cells): ItemSource {
  const [handle, name] = [valueOrNull(cells.author_handle), valueOrNull(cells.author_name)] as (
    | string
    | null
  )[];
  const author = { id: null, handle: handle ?? null, name: name ?? null, url: null };
  return {
    id: valueOrNull(cells.source_id) as string | null,
    url: valueOrNull(cells.source_url) as string | null,
    author: handle === null && name === null ? null : author,
    position: Number(cells.position),
    fetched_at: String(cells.fetched_at),
    route: null,
  };
}

/** Returns the parameters that have a value. */
function inputOf(endpoint: Endpoint, columns: readonly CarriedColumn[], cells: Cells): Cells {
  const input = Object.fromEntries(columns.map(({ name, heading }) => [name, cells[heading]]));
  const inputValues = inputParams(endpoint).map((name) => [name, inputValue(endpoint, input, name)] as const);
  return Object.fromEntries(inputValues.filter(([, value]) => !isEmpty(value)));
}

/** Returns the object of a row, validated. Throws a sentence if it is invalid. */
function itemOf({ returns, path }: Endpoint, cells: Cells, parsedItem: unknown): unknown {
  const item = parsedItem ?? itemOfCells(returns, cells);
  const { error } = returns.safeParse(item);
  const [issue] = error?.issues ?? [];
  if (issue === undefined) return item;
  throw new Error(`${issue.path.join('.')}, as ${path} has it: ${issue.message}`);
}

/**
 * Yields the answers of a table, in order. Throws `invalid_body` with the position of a row that cannot be read with
 * certainty.
 */
export async function* answersOfTable(
  file: string,
  endpoint: Endpoint,
  { inputs, sources }: TableShape,
  table: ResultTable,
): AsyncGenerator<InputAnswer, void, undefined> {
  const columns = carriedColumns(endpoint, table.names);
  let rows = 0;
  let pending: { answer: InputAnswer; items: unknown[]; sources: ItemSource[] } | null = null;
  for await (const row of table.rows()) {
    try {
      const cells = row.cells();
      const code = cells['error.code'];
      const index = isEmpty(cells.input_index) ? rows : Number(cells.input_index);
      const carried: OwnValues | undefined =
        columns.own.length === 0
          ? undefined
          : Object.fromEntries(
              columns.own.map(({ name, heading }) => [name, valueOrNull(cells[heading] ?? null)]),
            );
      const input = inputs ? inputOf(endpoint, columns.inputs, cells) : undefined;
      const about = { input, own: carried, index: inputs ? index : 0, from: inputs ? 0 : rows };
      // Lists without sources only have the number of their input.
      const hasSource = sources && !isEmpty(cells.position);
      rows += 1;
      const continues = inputs && endpoint.many && pending?.answer.index === index;
      if (pending !== null && !continues) {
        yield pending.answer;
        pending = null;
      }
      if (!isEmpty(code)) {
        const error = { code: String(code), message: String(cells['error.message']) };
        yield { ...about, items: [], ...pending?.answer, error };
        pending = null;
        continue;
      }
      if (pending === null) {
        const [items, itemSources] = [[] as unknown[], [] as ItemSource[]];
        const answer = { ...about, items, ...(hasSource ? { sources: itemSources } : {}), error: null };
        pending = { answer, items, sources: itemSources };
      }
      pending.items.push(itemOf(endpoint, cells, row.item));
      if (hasSource) pending.sources.push(sourceOf(cells));
    } catch (cause) {
      const text = cause instanceof SyntaxError ? 'a list is not JSON' : (cause as Error).message;
      throw new ExtractError('invalid_body', `${file}, ${row.position}: ${text}.`, { next: '' });
    }
  }
  if (pending !== null) yield pending.answer;
}
