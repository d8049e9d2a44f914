import { createReadStream } from 'node:fs';
import { parse } from 'csv-parse';
import type * as z from 'zod';
import type { Endpoint } from '../../../../lib/endpoint.js';
import { kindOf } from '../../../../lib/params/describe.js';
import { isFormula, separatorOf, unescapeFormula } from '../../../output/csv-cells.js';
import { select } from '../../../output/selection.js';
import { paramHeading } from '../result-headings.js';
import type { ResultTable, TableRow } from './read-table.js';

interface ParsedTable {
  readonly record: readonly string[];
  readonly info: { readonly lines: number };
}

/** Enough to contain the column names. */
const headBytes = 64 * 1024;

async function headOf(file: string): Promise<string> {
  let head = '';
  for await (const chunk of createReadStream(file, { encoding: 'utf8', end: headBytes })) head += chunk;
  return head.split(/\r?\n/, 1)[0] ?? '';
}

async function* recordsOf(file: string, delimiter: string): AsyncGenerator<ParsedTable, void, undefined> {
  const parser = parse({ delimiter, bom: true, info: true });
  const bytes = createReadStream(file);
  bytes.on('error', (cause) => parser.destroy(cause)).pipe(parser);
  try {
    yield* parser as AsyncIterable<ParsedTable>;
  } finally {
    bytes.destroy();
  }
}

/** Removes the apostrophe from cells that begin like a formula. Throws if it is ambiguous. */
class ApostropheReader {
  #isRaw = false;
  #isEscaped = false;

  read(cell: string): string {
    const text = unescapeFormula(cell);
    if (text !== cell) this.#isEscaped = true;
    else if (isFormula(cell)) this.#isRaw = true;
    if (this.#isRaw && this.#isEscaped)
      throw new Error('only some of the cells that begin like a formula have an apostrophe before it');
    return text;
  }
}

function numericColumns(endpoint: Endpoint): string[] {
  const { params, returns, many } = endpoint;
  const isNumber = (schema: z.ZodType) => ['number', 'integer'].includes(kindOf(schema).type);
  const inputs = Object.keys(params).filter((name) => isNumber(params[name] as z.ZodType));
  const fields = select(returns, many, null).columns.filter(({ numeric }) => numeric);
  const ofInputs = inputs.flatMap((name) => [`input.${name}`, paramHeading(endpoint, name)]);
  return [...ofInputs, ...fields.map(({ name }) => name)];
}

/** Opens a CSV or TSV file of results. */
export async function openCsvTable(file: string, endpoint: Endpoint): Promise<ResultTable> {
  const delimiter = separatorOf(await headOf(file));
  const { value: head } = await recordsOf(file, delimiter).next();
  const names = head?.record ?? [];
  // With semicolons as separators, decimals use a comma.
  const commas = new Set(delimiter === ';' ? numericColumns(endpoint) : []);
  return {
    names,
    async *rows(): AsyncGenerator<TableRow, void, undefined> {
      const apostrophes = new ApostropheReader();
      let isHead = true;
      for await (const { record, info } of recordsOf(file, delimiter)) {
        const cells = () =>
          names.map((name, at) => {
            const cell = record[at] ?? '';
            return [name, commas.has(name) ? cell.replace(',', '.') : apostrophes.read(cell)];
          });
        if (!isHead) yield { position: `line ${info.lines}`, cells: () => Object.fromEntries(cells()) };
        isHead = false;
      }
    },
  };
}
