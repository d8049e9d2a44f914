import { type Selection, select } from '../../output/selection.js';
import { csvLines, itemCsv } from './csv-lines.js';
import { locatedItems } from './located-items.js';
import type { InputAnswer, ResultFileOptions, ResultFileWriter } from './result-file.js';
import { openTextFile, type TextLines } from './text-file.js';

const itemsOf = (answer: InputAnswer, { pick }: Selection) => locatedItems(answer.items.map(pick), answer);

function ndjsonText(selection: Selection): TextLines<unknown> {
  return {
    head: '',
    rows: (answer) => itemsOf(answer, selection),
    text: (rows) => rows.map((row) => `${JSON.stringify(row)}\n`).join(''),
  };
}

/** Returns an answer as the line of a batch. */
function lineOf({ input, own, items, sources, coverage, error, changed }: InputAnswer, many: boolean) {
  const begin = { input, ...(own === undefined ? {} : { own }) };
  if (error !== null && items.length === 0) return { ...begin, error };
  return {
    ...begin,
    data: many ? items : items[0],
    ...(sources === undefined ? {} : { sources }),
    ...(coverage === undefined ? {} : { coverage }),
    ...(changed === undefined ? {} : { changed }),
    ...(error === null ? {} : { error }),
  };
}

const linesText = ({ many }: ResultFileOptions['endpoint']): TextLines<unknown> => ({
  head: '',
  rows: (answer) => [lineOf(answer, many)],
  text: (rows) => rows.map((row) => `${JSON.stringify(row)}\n`).join(''),
});

/** Formats one array: of the items, or of lines for several inputs. */
function jsonText(
  { endpoint: { many }, inputs }: ResultFileOptions,
  selection: Selection,
): TextLines<unknown> {
  let separator = '\n';
  return {
    head: '[',
    rows: (answer) => (inputs ? [lineOf(answer, many)] : itemsOf(answer, selection)),
    text(rows) {
      if (rows.length === 0) return '';
      const text = separator + rows.map((row) => JSON.stringify(row)).join(',\n');
      separator = ',\n';
      return text;
    },
    tail: '\n]\n',
  };
}

/** Opens a text file. For several inputs, each CSV line and each JSON object identifies its input. */
export function openTextFormat(
  file: string,
  options: ResultFileOptions,
  kind: 'csv' | 'tsv' | 'ndjson' | 'json',
): Promise<ResultFileWriter> {
  const { endpoint, inputs, csv = {}, sources: located = false } = options;
  const selection = options.selection ?? select(endpoint.returns, endpoint.many, null);
  if (kind === 'ndjson') return openTextFile(file, inputs ? linesText(endpoint) : ndjsonText(selection));
  if (kind === 'json') return openTextFile(file, jsonText(options, selection));
  const style = { ...csv, tabs: kind === 'tsv' };
  const lines = inputs
    ? csvLines(endpoint, {
        ...style,
        sources: located,
        ownColumns: options.ownColumns,
        onlyNew: options.onlyNew,
      })
    : itemCsv(selection, style, located);
  return openTextFile(file, lines);
}
