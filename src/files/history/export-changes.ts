import { stringify } from 'csv-stringify/sync';
import { cell, csvOptions } from '../../output/csv-cells.js';
import { changeRow, type changeRows } from './change-rows.js';

export const changeFormats = {
  csv: 'text/csv; charset=utf-8',
  ndjson: 'application/x-ndjson; charset=utf-8',
  json: 'application/json; charset=utf-8',
} as const;

export type ChangeFormat = keyof typeof changeFormats;

/** Yields pages of changes as text in one of the formats. */
export async function* exportChanges(
  pages: ReturnType<typeof changeRows>,
  format: ChangeFormat,
): AsyncGenerator<string, void, undefined> {
  const columns = Object.keys(changeRow.shape);
  const csv = (rows: readonly (readonly unknown[])[]) => stringify(rows as unknown[][], csvOptions({}));
  if (format === 'csv') yield csv([columns]);
  let isFirst = true;
  for await (const rows of pages) {
    if (rows.length === 0) continue;
    if (format === 'csv') yield csv(rows.map((row) => columns.map((name) => cell(row[name] ?? ''))));
    else {
      const texts = rows.map((row) => JSON.stringify(row));
      if (format === 'ndjson') yield `${texts.join('\n')}\n`;
      else yield `${isFirst ? '[\n' : ',\n'}${texts.join(',\n')}`;
    }
    isFirst = false;
  }
  if (format === 'json') yield isFirst ? '[]\n' : '\n]\n';
}
