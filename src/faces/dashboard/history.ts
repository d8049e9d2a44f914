import * as z from 'zod';
import { startOfDay } from './days.js';

const word = z.string().trim().min(1).max(100).optional().catch(undefined);
const day = z
  .string()
  .refine((text) => startOfDay(text) !== undefined)
  .optional()
  .catch(undefined);

/** The filter of the history, as the page's address says it. Values that make no sense are left out. */
export const historyFilters = z.object({
  endpoint: word,
  status: z.enum(['ok', 'failed', 'refused']).optional().catch(undefined),
  key: word,
  job: word,
  code: word,
  from: day,
  to: day,
});

export type HistoryFilters = z.output<typeof historyFilters>;

/** Rows of a page. */
export const pageSize = 50;

/** The address of the history with these filters, further on from a row. */
export function historyAddress(filters: HistoryFilters, before: string | null): string {
  const given = Object.entries({ ...filters, before }).filter(
    (one): one is [string, string] => typeof one[1] === 'string',
  );
  return given.length === 0 ? '/dashboard/requests' : `/dashboard/requests?${new URLSearchParams(given)}`;
}
