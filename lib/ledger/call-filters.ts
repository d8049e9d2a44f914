import { invalidParameter } from '../errors/extract-error.js';
import type { UsageQuery } from './ledger.js';
import type { UsageRow } from './usage-row.js';

/** Filters of the usage pages. */
export interface CallFilters extends Pick<UsageQuery, 'endpoint' | 'from' | 'to'> {
  readonly status?: UsageRow['status'] | undefined;
  /** Id of the key that made the call. */
  readonly key?: string | undefined;
  readonly code?: string | undefined;
  /** The platforms whose calls may be seen; by default all. */
  readonly platforms?: readonly string[] | undefined;
}

/** Parses a bound of the requested times into milliseconds since 1970. Throws `invalid_parameter`. */
export function timeBound(name: 'from' | 'to', at: string): number {
  const time = Date.parse(at);
  if (Number.isNaN(time)) {
    throw invalidParameter(`\`${name}\` must be an ISO 8601 time.`);
  }
  return time;
}
