import type { Endpoint } from '../../../lib/endpoint.js';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import { authorOrNull } from '../../../lib/read/item-source.js';
import { suggestBefore } from '../../../lib/runtime/nearest-words.js';
import { unescapeFormula } from '../../output/csv-cells.js';
import { invalidInput, type ParsedInput, parsedInput } from './input.js';
import type { Line } from './lines.js';
import { isSlip, itemInput, type ObjectTarget } from './object-input.js';
import { isResultHeader } from './result-header.js';

/** The purpose for which rows of a table are read. */
export interface TableTarget extends ObjectTarget {
  /** Receives the columns that are no parameters. */
  readonly onColumns?: ((own: readonly string[]) => void) | undefined;
}

type Cells = readonly string[];
type Row = Readonly<{ [name: string]: string }>;

const ownPrefix = 'own.';

/** Throws for columns that say nothing of the endpoint, or say a parameter with a slip of the pen. */
function checkColumns(names: Cells, { endpoint, map, parametersOnly }: TableTarget): void {
  const paramNames = Object.keys(endpoint.params);
  const fields = Object.values(map);
  for (const [at, name] of names.entries()) {
    if (name !== '' && names.indexOf(name) !== at) {
      throw new ExtractError('conflicting_parameters', `The CSV input has two columns ${name}.`);
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
    throw new ExtractError('invalid_parameter', `The input has no column ${absent}, which --map names.`);
  }
  const first = names[0] ?? '';
  if (fields.length === 0 && !names.some((name) => paramNames.includes(name)))
    throw unknownColumn(first, endpoint);
}

function unknownColumn(name: string, { path, params }: Endpoint): ExtractError {
  const paramNames = Object.keys(params);
  const use = `Use: ${paramNames.join(', ')}; or --map PARAM=COLUMN.`;
  const shown = JSON.stringify(name.slice(0, 80));
  return new ExtractError(
    'unknown_parameter',
    `Unknown column ${shown} for ${path}. ${suggestBefore(name, paramNames, use)}`,
  );
}

/** The rows of a table as inputs: of parameters with columns of the user's own, or of items that earlier runs gave. */
export class TableRows {
  readonly #names: Cells;
  readonly #target: TableTarget;
  readonly #isResult: boolean;
  readonly #own: Cells;
  /** The input of the rows before, and how many of them there were. */
  #answer: string | undefined;
  #items = 0;

  /** Throws where the columns do not fit the endpoint. */
  constructor(names: Cells, target: TableTarget) {
    this.#names = names;
    this.#target = target;
    this.#isResult = isResultHeader(names);
    if (!this.#isResult) checkColumns(names, target);
    const { params } = target.endpoint;
    const fields = Object.values(target.map);
    this.#own = this.#isResult
      ? names.filter((name) => name.startsWith(ownPrefix)).map((name) => name.slice(ownPrefix.length))
      : names.filter((name) => name !== '' && !Object.hasOwn(params, name) && !fields.includes(name));
    target.onColumns?.(this.#own);
  }

  *inputs(line: Line, cells: Cells): Generator<ParsedInput> {
    const names = this.#names;
    if (cells.length > names.length) {
      yield invalidInput(line, `has ${cells.length} values for ${names.length} columns`);
      return;
    }
    const filled = cells.flatMap((cell, at) => (cell === '' ? [] : [[names[at] as string, cell] as const]));
    // The names are the user's: an object of its own has no `constructor`.
    const row: Row = Object.assign(Object.create(null), Object.fromEntries(filled));
    if (this.#isResult) yield* this.#itemInputs(line, row);
    else yield this.#paramsInput(line, row);
  }

  /** The values of the user's own columns; an empty cell is null. */
  #ownOf(row: Row, prefix: string) {
    const own = Object.fromEntries(this.#own.map((name) => [name, row[`${prefix}${name}`] ?? null]));
    return this.#own.length === 0 ? {} : { own };
  }

  #paramsInput(line: Line, row: Row): ParsedInput {
    const { endpoint, map } = this.#target;
    const given = Object.entries(row).filter(([name]) => Object.hasOwn(endpoint.params, name));
    const taken = Object.entries(map).flatMap(([name, field]) => {
      const cell = row[field];
      return cell === undefined ? [] : [[name, cell] as const];
    });
    const params: Row = Object.fromEntries([...given, ...taken]);
    return { ...parsedInput(line, params, JSON.stringify(params), true), ...this.#ownOf(row, '') };
  }

  /** Whether enough items of this answer were given: rows of one input follow each other. */
  #isBeyond(answer: string | undefined): boolean {
    this.#items = answer === this.#answer ? this.#items + 1 : 1;
    this.#answer = answer;
    return answer !== undefined && this.#items > this.#target.maxItems;
  }

  *#itemInputs(line: Line, cells: Row): Generator<ParsedInput> {
    if (cells['error.code'] !== undefined) return this.#target.onLeftOut();
    if (this.#isBeyond(cells.input_index)) return;
    const names = this.#names.map((name) => [name, unescapeFormula(cells[name] ?? '') || null]);
    const row = Object.fromEntries(names) as Readonly<{ [name: string]: string | null }>;
    const author = authorOrNull({ handle: row.author_handle ?? null, name: row.author_name ?? null });
    const source = { id: row.source_id ?? null, url: row.source_url ?? null, author };
    const { own } = this.#ownOf(cells, ownPrefix);
    const input = itemInput(line, { item: row, source, own, beside: {} }, this.#target);
    yield { ...input, texts: true };
  }
}
