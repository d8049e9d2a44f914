import { stringify } from 'csv-stringify/sync';
import type { Endpoint } from '../../../lib/endpoint.js';
import { type CsvStyle, cell, csvMark, csvOptions } from '../../output/csv-cells.js';
import { select, valueAt } from '../../output/selection.js';
import { changeColumns, changeRows } from './change-columns.js';
import { inputColumns } from './input-columns.js';
import type { InputAnswer } from './result-file.js';
import { sourceCells, sourceColumns } from './source-columns.js';

type Cells = readonly unknown[];

/** CSV of answers: a line of column names, and the rows of an answer, which become lines. */
export interface CsvLines {
  readonly head: string;
  rows(answer: CsvAnswer): readonly Cells[];
  text(rows: readonly Cells[]): string;
}

/** An answer, with the changes of an object as JSON text where only what is new is given. */
interface CsvAnswer extends Pick<InputAnswer, 'input' | 'own' | 'index' | 'items' | 'sources' | 'error'> {
  readonly changed?: string | undefined;
}

/** The options that decide the columns and cells. */
export interface CsvChoices extends CsvStyle {
  readonly news?: boolean;
  readonly sources?: boolean;
  /** Columns of the user's own file. */
  readonly own?: readonly string[] | undefined;
}

/**
 * CSV with the same columns whatever comes, from the endpoint's parameters and its schema: the input, the fields,
 * the error. A row for each answer, or for each item where the answer is a list. `sources` adds
 * where each item stands, `news` the changes of objects: a row for each field that changed.
 */
export function csvLines(
  endpoint: Endpoint,
  { news = false, sources: located = false, own: carried, ...style }: CsvChoices = {},
): CsvLines {
  const options = csvOptions(style);
  const text = (rows: readonly Cells[]) => stringify(rows as unknown[][], options);
  const { columns } = select(endpoint.returns, endpoint.many, null);
  const ofInput = inputColumns(endpoint, carried);
  const withChanges = news && !endpoint.many;
  const ofSource = located ? sourceColumns.map(({ name }) => name) : [];
  const blank = [...columns, ...ofSource, ...(withChanges ? changeColumns : [])].map(() => '');
  return {
    head: `${csvMark(style)}${text([
      [
        ...ofInput.map(({ title }) => title),
        ...columns.map(({ name }) => name),
        ...ofSource,
        ...(withChanges ? changeColumns : []),
        'error.code',
        'error.message',
      ],
    ])}`,
    text,
    rows({ input, own, index, items, sources, error, changed }) {
      const before = ofInput.map(({ value }) => cell(value({ input, own }) ?? ''));
      if (error !== null) return [[...before, ...blank, error.code, error.message]];
      const changes = withChanges ? changeRows(changed === undefined ? null : JSON.parse(changed)) : [[]];
      return items.flatMap((one, at) => {
        const row = [
          ...before,
          ...columns.map(({ path }) => cell(valueAt(one, path))),
          ...(located ? sourceCells(sources?.[at], index).map((value) => cell(value ?? '')) : []),
        ];
        return changes.map((cells) => [...row, ...cells.map((value) => cell(value ?? '')), '', '']);
      });
    },
  };
}
