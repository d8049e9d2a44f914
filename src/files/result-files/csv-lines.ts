import { stringify } from 'csv-stringify/sync';
import type { Endpoint } from '../../../lib/endpoint.js';
import { type CsvStyle, cell, csvMark, csvOptions } from '../../output/csv-cells.js';
import { type Selection, select, valueAt } from '../../output/selection.js';
import { changeColumns, changeRows } from './change-columns.js';
import { inputColumns } from './input-columns.js';
import type { InputAnswer } from './result-file.js';
import { errorColumns } from './result-headings.js';
import { sourceCells, sourceColumns } from './source-columns.js';
import type { TextLines } from './text-file.js';

/** The library parses its options each time. */
const rowsAtOnce = 500;

type Cells = readonly unknown[];

export interface CsvChoices extends CsvStyle {
  readonly onlyNew?: boolean | undefined;
  readonly sources?: boolean;
  readonly ownColumns?: readonly string[] | undefined;
}

/** Formats items as CSV: the selected fields and, with `located`, each item's source. */
export function itemCsv({ columns }: Selection, style: CsvStyle, hasSources: boolean) {
  const options = csvOptions(style);
  const names = [...columns, ...(hasSources ? sourceColumns : [])].map(({ name }) => name);
  const text = (rows: readonly Cells[]) => stringify(rows as unknown[][], options);
  return {
    names,
    rowsAtOnce,
    head: `${csvMark(style)}${text([names])}`,
    rows: ({ index, items, sources }: Pick<InputAnswer, 'index' | 'items' | 'sources'>): readonly Cells[] =>
      items.map((item, at) => [
        ...columns.map(({ path }) => cell(valueAt(item, path))),
        ...(hasSources ? sourceCells(sources?.[at], index).map((value) => cell(value ?? '')) : []),
      ]),
    text,
  };
}

/**
 * Formats CSV with fixed columns, from the endpoint's parameters and schema: input, fields, error. One row per answer,
 * or per item of a list, and one for an error. `sources` adds each item's source; `onlyNew` the changes of objects, one
 * row per field.
 */
export function csvLines(
  endpoint: Endpoint,
  { onlyNew = false, sources: located = false, ownColumns: carried, ...style }: CsvChoices = {},
): TextLines<Cells> {
  const csv = itemCsv(select(endpoint.returns, endpoint.many, null), style, located);
  const ofInput = inputColumns(endpoint, carried);
  const withChanges = onlyNew && !endpoint.many;
  const names = [...csv.names, ...(withChanges ? changeColumns : [])];
  const titles = [...ofInput.map(({ title }) => title), ...names, ...errorColumns];
  return {
    head: `${csvMark(style)}${csv.text([titles])}`,
    text: csv.text,
    rowsAtOnce,
    rows({ input, own, error, changed, ...answer }) {
      const before = ofInput.map(({ value }) => cell(value({ input, own }) ?? ''));
      const changes = withChanges ? changeRows(changed) : [[]];
      const rows = csv
        .rows(answer)
        .flatMap((row) =>
          changes.map((cells) => [...before, ...row, ...cells.map((value) => cell(value ?? '')), '', '']),
        );
      if (error === null) return rows;
      const blank = names.map((name) => (name === 'input_index' ? answer.index : ''));
      return [...rows, [...before, ...blank, error.code, error.message]];
    },
  };
}
