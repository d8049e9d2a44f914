import type { Endpoint } from '../../../lib/endpoint.js';
import { endpoints } from '../../../lib/endpoints.js';
import { select } from '../../output/selection.js';

interface ObjectColumns {
  readonly endpoint: Endpoint;
  readonly columns: readonly string[];
}

let cached: readonly ObjectColumns[] | undefined;

/** Returns the columns of each kind of object in a table of results, most columns first. */
const columnsOfObjects = () =>
  endpoints
    .map((endpoint) => {
      const { columns } = select(endpoint.returns, endpoint.many, null);
      return { endpoint, columns: columns.map(({ name }) => name) };
    })
    .sort((one, other) => other.columns.length - one.columns.length);

/**
 * Returns an endpoint whose items are the rows of a table with these columns: of several with the same items, any.
 * Undefined if the table does not contain items of earlier results.
 */
export function endpointOfHeader(names: readonly string[]): Endpoint | undefined {
  cached ??= columnsOfObjects();
  const there = new Set(names);
  return cached.find(({ columns }) => columns.every((name) => there.has(name)))?.endpoint;
}

/** True if a table with these columns contains items of earlier results. */
export const isResultHeader = (names: readonly string[]): boolean => endpointOfHeader(names) !== undefined;
