import * as z from 'zod';
import { startOfDay } from './days.js';
import { withQuery } from './with-query.js';

const word = z.string().trim().min(1).max(100).optional().catch(undefined);
const day = z
  .string()
  .refine((text) => startOfDay(text) !== undefined)
  .optional()
  .catch(undefined);

/** The filter of the history, from the page's address. Invalid values are ignored. */
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

export const pageSize = 50;

/** Returns the address of the history with these filters, starting after a row. */
export function historyAddress(filters: HistoryFilters, before: string | null): string {
  return withQuery('/dashboard/requests', { ...filters, before });
}
