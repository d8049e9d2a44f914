import { createReadStream } from 'node:fs';
import type { Row } from 'read-excel-file/universal';
import { isoTime } from '../../../../lib/read/iso-time.js';
import type { ResultTable, TableRow } from './read-table.js';

const jsonValue = (cell: Row[number] | undefined) =>
  cell instanceof Date ? isoTime(cell.getTime()) : (cell ?? null);

/** Yields the rows of a sheet below its header. */
function* rowsOf(sheet: string, [titles = [], ...rows]: readonly Row[]): Generator<TableRow> {
  for (const [at, row] of rows.entries()) {
    yield {
      position: `${sheet}, row ${at + 2}`,
      cells: () =>
        Object.fromEntries(titles.map((title, column) => [String(title ?? ''), jsonValue(row[column])])),
    };
  }
}

/** Yields the rows of items with failed inputs at their positions, or at the end if the sheet has no positions. */
function* inOrder(items: readonly TableRow[], failed: readonly TableRow[]): Generator<TableRow> {
  const indexOf = (row: TableRow) => Number(row.cells().input_index ?? Number.POSITIVE_INFINITY);
  let next = 0;
  for (const row of items) {
    for (; next < failed.length && indexOf(failed[next] as TableRow) < indexOf(row); next += 1) {
      yield failed[next] as TableRow;
    }
    yield row;
  }
  yield* failed.slice(next);
}

/**
 * Opens a workbook of results: its sheets of items, with the failed inputs at their positions. Throws if its notes
 * report a loss.
 */
export async function openXlsxTable(file: string): Promise<ResultTable> {
  const { readAllSheets } = await import('../xlsx/read-workbook.js');
  const sheets = await readAllSheets(createReadStream(file));
  const notes = sheets.find(({ sheet }) => sheet === 'Notes')?.data ?? [];
  const loss = notes.flat().find((note) => /texts that end|no rows/.test(String(note)));
  if (loss !== undefined) throw new Error(`its sheets do not contain all results (${String(loss)})`);
  const results = sheets.filter(({ sheet }) => /^Results/.test(sheet));
  const errors = sheets.filter(({ sheet }) => sheet === 'Errors');
  const titles = [...results.slice(0, 1), ...errors].flatMap(({ data }) =>
    (data[0] ?? []).map((title) => String(title ?? '')),
  );
  return {
    names: [...new Set(titles)],
    async *rows() {
      yield* inOrder(
        results.flatMap(({ sheet, data }) => [...rowsOf(sheet, data)]),
        errors.flatMap(({ sheet, data }) => [...rowsOf(sheet, data)]),
      );
    },
  };
}
