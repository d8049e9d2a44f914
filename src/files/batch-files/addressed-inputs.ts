import { callOfAddress } from '../../../lib/call/address.js';
import type { Endpoint } from '../../../lib/endpoint.js';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import { addressesIn } from '../../../lib/params/web-address.js';
import { separatorOf } from '../../output/csv-cells.js';
import type { OwnValues } from '../result-files/result-file.js';
import { isWorkbook, unreadable } from './content-format.js';
import { csvInput } from './csv-input.js';
import { formatOfName, type ParsedInput, parsedInput, unreadableInput } from './input.js';
import { type Line, linesOf } from './lines.js';
import { peek } from './read-inputs.js';
import { cellText, type OpenTable, ownValue } from './table-records.js';
import { type DecodedLine, legacyDecoder } from './text-encoding.js';

export interface EndpointInputs {
  readonly endpoint: Endpoint;
  readonly inputs: readonly ParsedInput[];
  readonly ownColumns: readonly string[];
}

/** The file is read completely to sort its lines by endpoint. */
const maxBytes = 64 * 1024 * 1024;

async function* bounded(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > maxBytes)
      throw new ExtractError('body_too_large', 'A file of URLs may be at most 64 MB.', {
        next: 'Split it, or add the endpoint: extract batch tiktok/profile FILE.',
      });
    yield chunk;
  }
}

/** Groups inputs by endpoint, in the order of first occurrence. */
class Sorting {
  readonly #endpoints: readonly Endpoint[];
  readonly #groups = new Map<Endpoint, ParsedInput[]>();
  readonly #refused: ParsedInput[] = [];
  ownColumns: readonly string[] = [];
  blank = 0;

  constructor(endpoints: readonly Endpoint[]) {
    this.#endpoints = endpoints;
  }

  add(line: Line, text: string, ownValues?: OwnValues): void {
    const failure = unreadableInput(line);
    if (failure !== null) return void this.#refused.push(failure);
    if (text === '') {
      this.blank += 1;
      return;
    }
    const more = ownValues === undefined ? {} : { own: ownValues };
    try {
      const { endpoint, param, value } = callOfAddress(this.#endpoints, text);
      const params = { [param]: value };
      const input = { ...parsedInput(line, params, JSON.stringify(params), true), ...more };
      const group = this.#groups.get(endpoint) ?? [];
      if (group.length === 0) this.#groups.set(endpoint, group);
      group.push(input);
    } catch (error) {
      if (!(error instanceof ExtractError)) throw error;
      const echo = JSON.stringify({ url: text.slice(0, 2_048) });
      const { number, checksum, end } = line;
      this.#refused.push({ line: number, echo, params: null, fault: error, checksum, end, ...more });
    }
  }

  /**
   * Returns the groups; inputs that no endpoint reads fail in the first. Throws the first fault if no input can be
   * read.
   */
  groups(): readonly EndpointInputs[] {
    const [first, ...others] = [...this.#groups].map(([endpoint, inputs]) => ({ endpoint, inputs }));
    if (first === undefined) {
      const fault = this.#refused[0]?.fault;
      throw fault ?? unreadable('a file without URLs: put one on each line, or add the endpoint');
    }
    const inputs = [...first.inputs, ...this.#refused].sort((one, other) => one.line - other.line);
    return [{ ...first, inputs }, ...others].map((group) => ({ ...group, ownColumns: this.ownColumns }));
  }
}

const isAddress = (text: string) => addressesIn(text).length > 0;

/** A table of URLs: the column with most of them, and the user's own columns. */
const addressTable = (sorting: Sorting): OpenTable => ({
  isTitle: () => false,
  wantsSample: () => true,
  open(names, sample) {
    const counts = names.map(
      (_, at) => sample.filter((one) => 'cells' in one && isAddress(cellText(one.cells[at]))).length,
    );
    const column = counts.indexOf(Math.max(...counts));
    if ((counts[column] ?? 0) === 0) throw unreadable('a table without a column of URLs: add the endpoint');
    sorting.ownColumns = names.filter((name, at) => at !== column && name !== '');
    return {
      inputs(line, cells) {
        const ownCells = names.flatMap((name, at) =>
          at === column || name === '' ? [] : [[name, ownValue(cells[at])]],
        );
        sorting.add(
          line,
          cellText(cells[column]),
          ownCells.length === 0 ? undefined : Object.fromEntries(ownCells),
        );
        return [];
      },
    };
  },
});

interface AddressedInputs {
  readonly groups: readonly EndpointInputs[];
  /** Rows without a URL. */
  readonly blank: number;
  /** The first line of an older encoding than UTF-8. */
  readonly decoded: DecodedLine | undefined;
}

/**
 * Returns the inputs of a file of URLs, grouped by the endpoints that read them. Throws `invalid_url` or `invalid_body`
 * if no endpoint reads any of them.
 */
export async function addressedInputs(
  source: AsyncIterable<Uint8Array>,
  file: string,
  endpoints: readonly Endpoint[],
): Promise<AddressedInputs> {
  const { head, chunks, legacy } = await peek(bounded(source));
  let decoded: DecodedLine | undefined;
  const lines = () =>
    linesOf(
      chunks,
      legacyDecoder(legacy, (line) => {
        decoded = line;
      }),
    );
  const sorting = new Sorting(endpoints);
  const table = addressTable(sorting);
  const namedFormat = formatOfName(file);
  const [first = ''] = head
    .toString()
    .replace(/^\uFEFF/, '')
    .trim()
    .split('\n', 1);
  if (/^[[{]/.test(first)) throw unreadable('JSON: add the endpoint');
  const isTable =
    namedFormat === 'csv' ||
    namedFormat === 'tsv' ||
    (!isAddress(first) && /[,;\t]/.test(separatorOf(first)));
  if (isWorkbook(head)) {
    const { xlsxInput } = await import('./xlsx-input.js');
    for await (const _ of xlsxInput(chunks, table));
  } else if (isTable && first.includes(separatorOf(first))) {
    for await (const _ of csvInput(lines(), table));
  } else {
    for await (const line of lines()) sorting.add(line, line.text.trim());
  }
  return { groups: sorting.groups(), blank: sorting.blank, decoded };
}
