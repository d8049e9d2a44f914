import type { Endpoint } from '../../../lib/endpoint.js';

/** Returns the parameter that a heading names, ignoring case, spaces and hyphens; undefined for any other. */
function paramOfHeading(heading: string, { params }: Pick<Endpoint, 'params'>): string | undefined {
  const name = heading
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, '_');
  return Object.hasOwn(params, name) ? name : undefined;
}

/**
 * Returns the column names: parameters under their names, other headings unchanged, numbered if they repeat. Columns
 * that `--map` names stay.
 */
export function columnNames(
  headings: readonly string[],
  endpoint: Pick<Endpoint, 'params'>,
  mapped: readonly string[],
): readonly string[] {
  const counts = new Map<string, number>();
  return headings.map((heading) => {
    const param = mapped.includes(heading) ? undefined : paramOfHeading(heading, endpoint);
    // An exact parameter name takes precedence over a similar one.
    if (param !== undefined && (param === heading || !headings.includes(param))) return param;
    const count = (counts.get(heading) ?? 0) + 1;
    counts.set(heading, count);
    return count === 1 || heading === '' ? heading : `${heading} ${count}`;
  });
}

/** True for a title row above the header: only its first cell is filled. */
export const isTitle = (cells: readonly string[], endpoint: Pick<Endpoint, 'params'>) =>
  cells.length > 1 &&
  cells.slice(1).every((cell) => cell === '') &&
  paramOfHeading(cells[0] ?? '', endpoint) === undefined;
