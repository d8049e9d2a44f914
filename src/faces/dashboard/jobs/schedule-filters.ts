import * as z from 'zod';
import { dayMs } from '../../../../lib/runtime/clock.js';
import type { ChangeFormat } from '../../../files/history/export-changes.js';
import type { ItemEvent } from '../../../lines/memory/compare.js';
import type { ChangeQuery } from '../../../lines/memory/history.js';
import { withQuery } from '../with-query.js';

/** The kinds of changes that a schedule's page can be limited to, with their labels. */
export const changeKinds = {
  moved: { label: 'All', events: ['new', 'changed', 'removed', 'returned'] },
  new: { label: 'New', events: ['new', 'returned'] },
  changed: { label: 'Changed', events: ['changed'] },
  gone: { label: 'Gone', events: ['removed'] },
  all: { label: 'All, with first readings', events: ['first', 'new', 'changed', 'removed', 'returned'] },
} as const satisfies Readonly<Record<string, { label: string; events: readonly ItemEvent[] }>>;

/** Days to look back. */
export const lookbackDays = ['7', '30', '90', '365'] as const;

const word = z.string().trim().min(1).max(200).optional().catch(undefined);
const number = z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER).optional().catch(undefined);

/** The part of a schedule's history to show, from the address. Invalid values are ignored. */
export const scheduleFilters = z.object({
  subject: word,
  field: word,
  days: z.enum(lookbackDays).catch('90'),
  what: z.enum(['moved', 'new', 'changed', 'gone', 'all']).catch('moved'),
  /** The number of the first change on the page. */
  before: number,
  /** The number of the first run on the page. */
  runs: number,
});

export type ScheduleFilters = z.output<typeof scheduleFilters>;

export const sinceOf = ({ days }: ScheduleFilters, now: number) => now - Number(days) * dayMs;

/** Returns the query for changes. List counts grow with every reading, so they are only shown if selected. */
export function changeQuery(
  { field, what }: ScheduleFilters,
  subjects: readonly number[] | undefined,
  since: number,
): ChangeQuery {
  return { subjects, since, field, events: changeKinds[what].events, quiet: field === undefined };
}

/** Returns the address of a schedule's page, or of an export of its changes, with these filters. */
export function scheduleAddress(
  id: string,
  filters: Partial<ScheduleFilters>,
  page: '' | `/changes.${ChangeFormat}` = '',
): string {
  return withQuery(`/dashboard/schedules/${encodeURIComponent(id)}${page}`, filters);
}
