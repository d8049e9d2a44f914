import { countOrNull, textOrNull } from '../../read/convert.js';
import { at, listAt, valueAt } from '../../read/json.js';
import { canMean } from './hours-in-words.js';
import type { MapsPlace } from './objects.js';
import { place } from './paths.js';

type OpeningHours = NonNullable<MapsPlace['opening_hours']>;
type Period = OpeningHours['periods'][number];

const dayMinutes = 24 * 60;
const weekDays = 7;

/** Minutes from the day's midnight; a close at or before the opening is on the next day. */
type Span = readonly [open: number, close: number];

/** One day as the page lists it. */
interface Day {
  /** 0 is Sunday. */
  readonly day: number;
  readonly label: string | null;
  readonly texts: readonly (string | null)[];
  readonly spans: readonly Span[];
}

function minutes(hour: unknown, minute: unknown): number | null {
  const [h, m] = [countOrNull(hour), countOrNull(minute)];
  return h === null || m === null || h > 47 || m > 59 ? null : h * 60 + m;
}

/**
 * Hour and minute, each omitted if it is 0: `[]` is midnight. A null hour before a minute is 0 if words give the time
 * too (`isWorded`); any other null is unknown.
 */
function shortMinutes(moment: unknown, isWorded: boolean): number | null {
  if (!Array.isArray(moment) || moment.length > 2) return null;
  const [hour = 0, minute = 0] = moment as readonly unknown[];
  return minutes(hour === null && isWorded && minute !== 0 ? 0 : hour, minute);
}

const spanOf = (open: number | null, close: number | null): Span | null =>
  open === null || close === null ? null : [open, close];

const closedFlag = 2;

/**
 * Builds a day. A null span came as words only ("Closed", or unknown hours), so its flag decides whether the day is
 * closed. Without the flag the day is unknown.
 */
function dayOf(
  number: number | null,
  label: unknown,
  texts: readonly unknown[],
  spans: readonly (Span | null)[],
  flag: unknown,
): Day | null {
  if (number === null) return null;
  const knownSpans = spans.filter((one) => one !== null);
  const closed = flag === closedFlag && knownSpans.length === 0;
  if (!closed && (knownSpans.length === 0 || knownSpans.length < spans.length)) return null;
  return { day: number, label: textOrNull(label), texts: texts.map(textOrNull), spans: knownSpans };
}

const firstOf = (slot: unknown) => at(slot, 0);

/** [text, [[hour, minute], [hour, minute]]] */
function currentSpan(slot: unknown): Span | null {
  const words = textOrNull(firstOf(slot));
  const isWorded = /\p{N}/u.test(words ?? '');
  const span = spanOf(shortMinutes(at(slot, 1, 0), isWorded), shortMinutes(at(slot, 1, 1), isWorded));
  return span !== null && canMean(words, span) ? span : null;
}

/** [hour, minute, hour, minute], each 0 included (2024 to 2025); the words for it are in a separate list. */
function olderSpan(slot: unknown, text: unknown): Span | null {
  if (!Array.isArray(slot) || slot.length !== 4) return null;
  const span = spanOf(minutes(slot[0], slot[1]), minutes(slot[2], slot[3]));
  return span !== null && canMean(textOrNull(text), span) ? span : null;
}

/** A day of the current list: [name, 1 Monday … 7 Sunday, date, [[text, [[h, m], [h, m]]]…], _, flag]. */
function currentDay(entry: unknown): Day | null {
  const number = countOrNull(at(entry, 1));
  const range = listAt(entry, 3);
  // A repeated slot counts once.
  const slots = [...new Map(range.map((slot) => [JSON.stringify(slot), slot])).values()];
  const valid = number !== null && number >= 1 && number <= weekDays ? number % weekDays : null;
  return dayOf(valid, at(entry, 0), slots.map(firstOf), slots.map(currentSpan), at(entry, 5));
}

/** A day of the list until November 2025: [name, texts, _, _, "YYYY-MM-DD", flag, [[h, m, h, m]…]]. */
function olderDay(entry: unknown): Day | null {
  const date = at(entry, 4);
  const midnight =
    typeof date === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(date) ? Date.parse(date) : Number.NaN;
  const number = Number.isNaN(midnight) ? null : new Date(midnight).getUTCDay();
  const texts = listAt(entry, 1);
  const spans = listAt(entry, 6).map((slot, index) => olderSpan(slot, texts[index]));
  return dayOf(number, at(entry, 0), texts, spans, at(entry, 5));
}

/** Returns seven days from Sunday, or null if one is unknown, because callers would take a missing day as closed. */
function wholeWeek(
  entries: readonly unknown[],
  readDay: (entry: unknown) => Day | null,
): readonly Day[] | null {
  const days: Day[] = [];
  for (const entry of entries) {
    const one = readDay(entry);
    if (one !== null) days[one.day] ??= one;
  }
  return days.length === weekDays && Object.keys(days).length === weekDays ? days : null;
}

function momentAt(day: number, minute: number): Period['open'] {
  const hour = Math.floor((minute % dayMinutes) / 60);
  return {
    day: (day + Math.floor(minute / dayMinutes)) % weekDays,
    time: `${hour < 10 ? '0' : ''}${hour}${minute % 60 < 10 ? '0' : ''}${minute % 60}`,
  };
}

function periodsOf(week: readonly Day[]): Period[] {
  const periods: Period[] = [];
  let wholeDays = 0;
  for (const { day, spans } of week) {
    for (const [open, close] of spans) {
      const end = close > open ? close : close + dayMinutes;
      if (open === 0 && end === dayMinutes) wholeDays += 1;
      periods.push({ open: momentAt(day, open), close: momentAt(day, end) });
    }
  }
  const always = wholeDays === weekDays && periods.length === weekDays;
  // The platform's own interface represents a place that never closes as one period without a close.
  return always ? [{ open: { day: 0, time: '0000' }, close: null }] : periods;
}

/** Lines from Monday; none if a day lacks a name or words. */
function textsOf(week: readonly Day[]): string[] {
  const lines: string[] = [];
  for (let index = 1; index <= weekDays; index += 1) {
    const { label, texts } = week[index % weekDays] as Day;
    if (label === null || texts.length === 0 || texts.includes(null)) return [];
    lines.push(`${label}: ${texts.join(', ')}`);
  }
  return lines;
}

/**
 * States of the status line (2023 to 2026): 1 is open, 4 opens soon, 5 and 6 are closed. 2 and 3 are between open and
 * closed and have not been seen, so whether they count as open is unknown.
 */
const openStates: ReadonlyMap<unknown, boolean | null> = new Map([
  [1, true],
  [2, null],
  [3, null],
  [4, false],
  [5, false],
  [6, false],
]);

/** True for open, false for closed, null if the state is missing or unknown. */
export function openState(node: unknown): boolean | null {
  return openStates.get(valueAt(node, place.state)) ?? null;
}

/** True for a state that changes with the hours of a place in business. */
export function hasDailyState(node: unknown): boolean {
  return openStates.has(valueAt(node, place.state));
}

/** Returns the week's hours from their numbers; null if the page has none or, on a thin page, not every day. */
export function openingHours(node: unknown): OpeningHours | null {
  const week =
    wholeWeek(listAt(node, ...place.week), currentDay) ??
    wholeWeek(listAt(node, ...place.olderWeek), olderDay);
  if (week === null) return null;
  return { open_now: openState(node), periods: periodsOf(week), weekday_text: textsOf(week) };
}

/** True if the list of hours starts but does not cover the week, which marks a thin answer. */
export function hasPartOfWeek(node: unknown): boolean {
  const days = listAt(node, ...place.week).length;
  return days > 0 && days < weekDays && openingHours(node) === null;
}

export function hasHours(node: unknown): boolean {
  return listAt(node, ...place.week).length > 0 || listAt(node, ...place.olderWeek).length > 0;
}
