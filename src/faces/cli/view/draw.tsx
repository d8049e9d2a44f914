import { stripVTControlCharacters } from 'node:util';
import { renderToString } from 'ink';
import type { ReactElement } from 'react';
import { type Column, interestingColumns, type Selection, valueAt } from '../../../output/selection.js';
import type { OutputOptions } from '../output.js';
import { Card } from './card.js';
import { fitColumns } from './fit.js';
import { Table } from './table.js';
import { cellText, numberFormat } from './text.js';

type Item = Readonly<Record<string, unknown>>;
type DrawOptions = Pick<OutputOptions, 'color' | 'width'>;

/** Rows drawn together: the cost grows faster than the height. */
const rowsPerTable = 100;

function draw(element: ReactElement, { color, width }: DrawOptions): string {
  const text = renderToString(element, { columns: width });
  return `${color ? text : stripVTControlCharacters(text)}\n`;
}

export function drawCard(item: unknown, options: DrawOptions): string {
  return draw(<Card object={item as Item} width={options.width} />, options);
}

/** True for addresses and lists of objects, which say little in a cell. */
function isLowPriority({ path }: Column, items: readonly unknown[]): boolean {
  const values = items.map((item) => valueAt(item, path)).filter((value) => value !== null);
  return (
    values.length > 0 &&
    values.every((value) => {
      if (typeof value === 'string') return /^https?:\/\//.test(value);
      return Array.isArray(value) && value.every((inner) => inner !== null && typeof inner === 'object');
    })
  );
}

export interface ListDrawing {
  readonly parts: Iterable<string>;
  /** Fields for which the terminal is too narrow. */
  readonly omitted: readonly string[];
  /** Fields that a table omits by default: empty, or barely readable. */
  readonly further: readonly string[];
}

function* cards(items: readonly unknown[], options: DrawOptions): Generator<string> {
  for (const [index, item] of items.entries()) yield `${index === 0 ? '' : '\n'}${drawCard(item, options)}`;
}

/** Returns the cells of a column, with its numbers formatted alike. */
function cellsOf({ path, name }: Column, items: readonly unknown[]): string[] {
  const values = items.map((item) => valueAt(item, path));
  const format = numberFormat(path.at(-1) ?? name, values);
  return values.map((value) => (typeof value === 'number' ? format(value) : cellText(value)));
}

/** Draws a list as a table with as many columns as fit, or as cards if too few do. */
export function drawList(items: readonly unknown[], selection: Selection, options: DrawOptions): ListDrawing {
  const { chosen, preferred } = selection;
  const columns = interestingColumns(selection);
  const candidates = columns.map((column) => ({
    name: column.name,
    cells: cellsOf(column, items),
    lowPriority: preferred === undefined && isLowPriority(column, items),
    readable: preferred !== undefined,
  }));
  const fit = fitColumns(candidates, options.width, chosen);
  if (fit === null) return { parts: cards(items, options), omitted: [], further: [] };
  const { columnIndexes, widths, eligible } = fit;
  const names = columnIndexes.map((index) => candidates[index]?.name ?? '');
  const numeric = columnIndexes.map((index) => columns[index]?.numeric === true);
  const row = (line: number) => columnIndexes.map((index) => candidates[index]?.cells[line] ?? '');
  function* tables(): Generator<string> {
    for (let start = 0; start < items.length; start += rowsPerTable) {
      const rows = items.slice(start, start + rowsPerTable).map((_, index) => row(start + index));
      yield draw(
        <Table names={start === 0 ? names : null} rows={rows} widths={widths} numeric={numeric} />,
        options,
      );
    }
  }
  const omitted = eligible.flatMap((index) =>
    columnIndexes.includes(index) ? [] : [candidates[index]?.name ?? ''],
  );
  const namesShown = new Set([...names, ...omitted]);
  const further = selection.columns.map(({ name }) => name).filter((name) => !namesShown.has(name));
  return { parts: tables(), omitted, further };
}
