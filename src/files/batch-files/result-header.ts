import { endpoints } from '../../../lib/endpoints.js';
import { select } from '../../output/selection.js';

function columnsOfObjects(): readonly (readonly string[])[] {
  return endpoints.map(({ returns, many }) => select(returns, many, null).columns.map(({ name }) => name));
}

let cachedColumns: readonly (readonly string[])[] | undefined;

/** True if a table with these columns contains items of earlier results. */
export function isResultHeader(names: readonly string[]): boolean {
  cachedColumns ??= columnsOfObjects();
  const there = new Set(names);
  return cachedColumns.some((columns) => columns.every((name) => there.has(name)));
}
