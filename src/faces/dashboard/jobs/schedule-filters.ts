import * as z from 'zod';
import { dayMs } from '../../../../lib/runtime/clock.js';
import type { ItemEvent } from '../../../lines/memory/compare.js';
import type { ChangeQuery } from '../../../lines/memory/history.js';

/** The kinds of changes that the page of a schedule can be limited to, as people say them. */
export const changeKinds = {
  moved: { label: 'All', events: ['new', 'changed', 'removed', 'returned'] },
  new: { label: 'New', events: ['new', 'returned'] },
  changed: { label: 'Changed', events: ['changed'] },
  gone: { label: 'Gone', events: ['removed'] },
  all: { label: 'All, with first readings', events: ['first', 'new', 'changed', 'removed', 'returned'] },
} as const satisfies Readonly<Record<string, { label: string; events: readonly ItemEvent[] }>>;

/** How far back the page of a schedule can look, in days. */
export const lookBacks = ['7', '30', '90', '365'] as const;

const word = z.string().trim().min(1).max(200).optional().catch(undefined);
const number = z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER).optional().catch(undefined);

/** The part of a schedule's history that its page shows, as the address says it. Values that make no sense are left out. */
export const scheduleFilters = z.object({
  subject: word,
  field: word,
  days: z.enum(lookBacks).catch('90'),
  what: z.enum(['moved', 'new', 'changed', 'gone', 'all']).catch('moved'),
  /** Number of the change that the page of changes starts from. */
  before: number,
  /** Number of the run that the page of runs starts from. */
  runs: number,
});

export type ScheduleFilters = z.output<typeof scheduleFilters>;

/** Since when the page looks; milliseconds since 1970. */
export const sinceOf = ({ days }: ScheduleFilters, now: number) => now - Number(days) * dayMs;

/** The changes that are asked for; counts of the items of lists, which grow with every reading, by their name alone. */
export function changesAsked(
  { field, what }: ScheduleFilters,
  subjects: readonly number[] | undefined,
  since: number,
): ChangeQuery {
  return { subjects, since, field, events: changeKinds[what].events, quiet: field === undefined };
}

/** The address of a page of a schedule, or of an export of its changes, with these filters. */
export function scheduleAddress(
  id: string,
  filters: Partial<ScheduleFilters>,
  page: '' | '/changes.csv' | '/changes.ndjson' | '/changes.json' = '',
): string {
  const given = Object.entries(filters).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  const query = given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
  return `/dashboard/schedules/${encodeURIComponent(id)}${page}${query}`;
}
