import type { Endpoint } from '../../../lib/endpoint.js';
import { ExtractError, invalidParameter } from '../../../lib/errors/extract-error.js';
import { authorOrNull } from '../../../lib/read/item-source.js';
import { suggestBefore } from '../../../lib/runtime/nearest-words.js';
import { unescapeFormula } from '../../output/csv-cells.js';
import { fits, identifyingParams } from '../../output/plain-argument.js';
import { type CarriedColumns, carriedColumns, repeatedName } from '../result-files/result-headings.js';
import { columnNames, isTitle } from './headings.js';
import { invalidInput, type ParsedInput, parsedInput } from './input.js';
import type { Line } from './lines.js';
import { isSlip, itemInput, type ObjectTarget } from './object-input.js';
import { paramOfCell, type RecognisedColumn, recognisedColumn } from './recognised-columns.js';
import { endpointOfHeader, isResultHeader } from './result-header.js';
import { cellText, type OpenTable, ownValue, type TableReader } from './table-records.js';

export interface TableTarget extends ObjectTarget {
  /** Called with the columns that are not parameters, and the column recognised as a parameter. */
  readonly onColumns?: ((ownColumns: readonly string[], recognised?: RecognisedColumn) => void) | undefined;
}

type Names = readonly string[];
type Row = Readonly<{ [name: string]: unknown }>;

const repeatedColumn = (name: string) =>
  new ExtractError('conflicting_parameters', `The input has two columns ${name}.`);

/** Throws for columns unrelated to the endpoint, or a misspelled parameter. */
function checkColumns(names: Names, { endpoint, map, parametersOnly }: TableTarget): void {
  const paramNames = Object.keys(endpoint.params);
  const fields = Object.values(map);
  for (const [at, name] of names.entries()) {
    if (name !== '' && names.indexOf(name) !== at) {
      throw repeatedColumn(name);
    }
    if (paramNames.includes(name) || fields.includes(name)) continue;
    const renamed = Object.hasOwn(endpoint.renamed, name) ? endpoint.renamed[name] : undefined;
    if (renamed !== undefined) {
      throw new ExtractError('renamed_parameter', `The CSV column ${name} is now called ${renamed}.`);
    }
    if (parametersOnly || isSlip(name, endpoint)) throw unknownColumn(name, endpoint);
  }
  const absent = fields.find((field) => !names.includes(field));
  if (absent !== undefined) {
    throw invalidParameter(`The input has no column ${absent}, which --map names.`);
  }
}

function unknownColumn(name: string, { path, params }: Endpoint): ExtractError {
  const paramNames = Object.keys(params);
  const use = `Use: ${paramNames.join(', ')}; or --map PARAM=COLUMN.`;
  const quotedName = JSON.stringify(name.slice(0, 80));
  return new ExtractError(
    'unknown_parameter',
    `Unknown column ${quotedName} for ${path}. ${suggestBefore(name, paramNames, use)}`,
  );
}

const namesOf = (headings: Names, { endpoint, map }: TableTarget) =>
  isResultHeader(headings) ? headings : columnNames(headings, endpoint, Object.values(map));

/** True if neither a column nor `--map` names a parameter, so headings and cells have to be examined. */
const saysNothing = (names: Names, { endpoint: { params }, map }: TableTarget) =>
  Object.keys(map).length === 0 &&
  !names.some((name) => Object.hasOwn(params, name)) &&
  !isResultHeader(names);

/** A table of parameters, by name or recognised, or of earlier results. */
export const inputTable = (target: TableTarget): OpenTable => ({
  isTitle: (cells) => isTitle(cells, target.endpoint),
  wantsSample: (headings) => saysNothing(namesOf(headings, target), target),
  open(headings, sample) {
    const names = namesOf(headings, target);
    if (!saysNothing(names, target)) return new TableRows(names, target);
    checkColumns(names, target);
    const texts = sample.map((one) => ('cells' in one ? one.cells.map(cellText) : []));
    const recognised = recognisedColumn(target.endpoint, names, texts);
    const map = { [recognised.param]: recognised.column };
    return new TableRows(names, { ...target, map }, recognised);
  },
});

/** Converts table rows to inputs: parameters with the user's columns, or items of earlier runs. */
class TableRows implements TableReader {
  readonly #names: Names;
  readonly #target: TableTarget;
  /** Null for a table of parameters. */
  readonly #carried: CarriedColumns | null;
  readonly #own: CarriedColumns['own'];
  /** The input of the previous rows, and how many there were. */
  #answer: unknown;
  #items = 0;

  /** Throws if the columns do not fit the endpoint. */
  constructor(names: Names, target: TableTarget, recognised?: RecognisedColumn) {
    this.#names = names;
    this.#target = target;
    const of = endpointOfHeader(names);
    this.#carried = of === undefined ? null : carriedColumns(of, names);
    if (this.#carried === null) checkColumns(names, target);
    const { params } = target.endpoint;
    const fields = Object.values(target.map);
    this.#own =
      this.#carried?.own ??
      names
        .filter((name) => name !== '' && !Object.hasOwn(params, name) && !fields.includes(name))
        .map((name) => ({ name, heading: name }));
    const repeated = repeatedName(this.#own);
    if (repeated !== undefined) throw repeatedColumn(repeated);
    target.onColumns?.(
      this.#own.map(({ name }) => name),
      recognised,
    );
  }

  *inputs(line: Line, cells: readonly unknown[]): Generator<ParsedInput> {
    const names = this.#names;
    if (cells.length > names.length) {
      yield invalidInput(line, `has ${cells.length} values for ${names.length} columns`);
      return;
    }
    const nonEmpty = cells.flatMap((cell, at) =>
      cell === '' || cell === null || cell === undefined ? [] : [[names[at] as string, cell] as const],
    );
    // The user chose the names, so the object must not inherit names such as `constructor`.
    const row: Row = Object.assign(Object.create(null), Object.fromEntries(nonEmpty));
    if (this.#carried !== null) yield* this.#itemInputs(line, row, this.#carried);
    else yield* this.#paramsInput(line, row);
  }

  /** Returns the values of the user's columns, with a workbook's types; null for an empty cell. */
  #ownOf(row: Row) {
    const ownValues = Object.fromEntries(
      this.#own.map(({ name, heading }) => [name, ownValue(row[heading])]),
    );
    return this.#own.length === 0 ? {} : { own: ownValues };
  }

  *#paramsInput(line: Line, row: Row): Generator<ParsedInput> {
    const { endpoint, map, onBlank } = this.#target;
    const paramCells = Object.entries(row).filter(([name]) => Object.hasOwn(endpoint.params, name));
    const mappedCells = Object.entries(map).flatMap(([name, field]) =>
      row[field] === undefined ? [] : [[name, row[field]] as const],
    );
    const identifying = identifyingParams(endpoint);
    const cells = [...paramCells, ...mappedCells].map(([name, cell]): [string, string] => {
      const text = cellText(cell);
      // A column of names may contain links.
      const isOther = identifying.includes(name) && !fits(endpoint, name, text);
      return [(isOther && paramOfCell(endpoint, text)) || name, text];
    });
    const params = Object.fromEntries(cells);
    if (onBlank !== undefined && !identifying.some((name) => Object.hasOwn(params, name))) return onBlank();
    yield { ...parsedInput(line, params, JSON.stringify(params), true), ...this.#ownOf(row) };
  }

  /** True if enough items of this answer were used; rows of one input are consecutive. */
  #isBeyond(answer: unknown): boolean {
    this.#items = answer === this.#answer ? this.#items + 1 : 1;
    this.#answer = answer;
    return answer !== undefined && this.#items > this.#target.maxItems;
  }

  *#itemInputs(line: Line, cells: Row, { inputs, own }: CarriedColumns): Generator<ParsedInput> {
    if (cells['error.code'] !== undefined) return this.#target.onLeftOut();
    if (this.#isBeyond(cells.input_index)) return;
    const names = this.#names.map((name) => [name, unescapeFormula(cellText(cells[name])) || null]);
    const row = Object.fromEntries(names) as Readonly<{ [name: string]: string | null }>;
    const author = authorOrNull({ handle: row.author_handle ?? null, name: row.author_name ?? null });
    const source = { id: row.source_id ?? null, url: row.source_url ?? null, author };
    const { own: ownValues } = this.#ownOf(cells);
    // A parameter of the earlier call, such as `url`, is not a field of its items.
    const beside = {
      ...row,
      input: Object.fromEntries(inputs.map(({ name, heading }) => [name, row[heading]])),
    };
    const carried = new Set([...inputs, ...own].map(({ heading }) => heading));
    const item = Object.fromEntries(Object.entries(row).filter(([heading]) => !carried.has(heading)));
    const input = itemInput(line, { item, source, ownValues, beside }, this.#target);
    yield { ...input, texts: true };
  }
}
