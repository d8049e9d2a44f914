import type { Endpoint } from '../../../lib/endpoint.js';

/** The parameter that a heading names, whatever its case, spaces and hyphens; undefined for any other. */
function paramOfHeading(heading: string, { params }: Pick<Endpoint, 'params'>): string | undefined {
  const name = heading
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, '_');
  return Object.hasOwn(params, name) ? name : undefined;
}

/**
 * Returns the columns of a header: parameters by their names, the user's own as they are, numbered if they repeat.
 * Columns that `--map` names stay.
 */
export function columnNames(
  headings: readonly string[],
  endpoint: Pick<Endpoint, 'params'>,
  mapped: readonly string[],
): readonly string[] {
  const counts = new Map<string, number>();
  return headings.map((heading) => {
    const param = mapped.includes(heading) ? undefined : paramOfHeading(heading, endpoint);
    // A parameter under its exact name comes before one that only looks like it.
    if (param !== undefined && (param === heading || !headings.includes(param))) return param;
    const count = (counts.get(heading) ?? 0) + 1;
    counts.set(heading, count);
    return count === 1 || heading === '' ? heading : `${heading} ${count}`;
  });
}

/** True for a row above the header: a title in its first cell, and nothing beside it. */
export const isTitle = (cells: readonly string[], endpoint: Pick<Endpoint, 'params'>) =>
  cells.length > 1 &&
  cells.slice(1).every((cell) => cell === '') &&
  paramOfHeading(cells[0] ?? '', endpoint) === undefined;
