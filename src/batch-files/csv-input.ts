import { parse } from 'csv-parse/sync';
import type { Endpoint } from '../../lib/endpoint.js';
import { ExtractError } from '../../lib/errors/extract-error.js';
import { faulty, type Read, readAs, unreadable } from './input.js';
import { type Line, longestLine } from './lines.js';

type Cells = readonly string[];

/** One record as csv-parse reads it, or undefined where the quotes do not fit. */
function cellsOf(record: string): Cells | undefined {
  try {
    return (parse(record, { relax_column_count: true, trim: true }) as string[][])[0];
  } catch {
    return undefined;
  }
}

const quotesOf = (text: string) => text.split('"').length - 1;

/** A record, and the line that it ends on. */
interface Record {
  readonly cells: Cells;
  readonly last: Line;
}

/**
 * Lines with the power to take some back: a quote that is never closed would swallow the lines after it, so those
 * are read again once it is clear that they are no part of the record.
 */
class Ahead {
  readonly #lines: AsyncIterator<Line, void>;
  readonly #back: Line[] = [];

  constructor(lines: AsyncIterable<Line>) {
    this.#lines = lines[Symbol.asyncIterator]() as AsyncIterator<Line, void>;
  }

  async next(): Promise<Line | undefined> {
    const back = this.#back.shift();
    if (back !== undefined) return back;
    const { value } = await this.#lines.next();
    return value ?? undefined;
  }

  /** The record that begins with a line; undefined, with the lines after it taken back, when it is none. */
  async record(first: Line): Promise<Record | undefined> {
    const taken: Line[] = [];
    let text = first.text;
    let last = first;
    let quotes = quotesOf(text);
    while (quotes % 2 === 1 && text.length <= longestLine) {
      const line = await this.next();
      if (line === undefined) break;
      taken.push(line);
      if (line.fault !== null) break;
      text += `\n${line.text}`;
      quotes += quotesOf(line.text);
      last = line;
    }
    const cells = quotes % 2 === 0 && last === (taken.at(-1) ?? first) ? cellsOf(text) : undefined;
    if (cells !== undefined) return { cells, last };
    this.#back.unshift(...taken);
    return undefined;
  }
}

/** The parameters that the columns are. */
function headOf(endpoint: Endpoint, cells: Cells | undefined): Cells {
  if (cells === undefined)
    throw new ExtractError('invalid_body', 'The header of the CSV input cannot be read.');
  for (const [at, name] of cells.entries()) {
    const known = Object.keys(endpoint.params);
    if (!known.includes(name)) {
      const renamed = endpoint.renamed[name];
      if (renamed !== undefined) {
        throw new ExtractError('renamed_parameter', `The CSV column ${name} is now called ${renamed}.`);
      }
      throw new ExtractError(
        'unknown_parameter',
        `The CSV column ${JSON.stringify(name.slice(0, 80))} is no parameter of ${endpoint.path}. The header must name: ${known.join(', ')}.`,
      );
    }
    if (cells.indexOf(name) !== at) {
      throw new ExtractError('conflicting_parameters', `The CSV input has two columns ${name}.`);
    }
  }
  return cells;
}

/**
 * A header with the names of parameters, then an input a record; an empty cell is a parameter that is not given.
 * Throws for a header that does not fit the endpoint: then no record would.
 */
export async function* csvInput(
  lines: AsyncIterable<Line>,
  endpoint: Endpoint,
): AsyncGenerator<Read, void, undefined> {
  const ahead = new Ahead(lines);
  const top = await ahead.next();
  if (top === undefined) return;
  const names = headOf(endpoint, top.fault === null ? (await ahead.record(top))?.cells : undefined);
  for (let line = await ahead.next(); line !== undefined; line = await ahead.next()) {
    const refused = unreadable(line);
    const record = refused === null ? await ahead.record(line) : undefined;
    if (record === undefined) {
      yield refused ?? faulty(line, 'is not a CSV record: its quotes do not fit');
    } else if (record.cells.length > names.length) {
      yield faulty(line, `has ${record.cells.length} values for ${names.length} columns`);
    } else {
      const given = record.cells.flatMap((cell, at) => (cell === '' ? [] : [[names[at] as string, cell]]));
      const params = Object.fromEntries(given) as Readonly<{ [name: string]: string }>;
      const { mark, end } = record.last;
      yield readAs({ ...line, mark, end }, params, JSON.stringify(params), true);
    }
  }
}
