import { changesOf } from './changes.js';
import type { Fields, Observation, ObservedItem } from './observation.js';
import { saysLess } from './says-less.js';

/**
 * The kind of a change. `first`: the item, or its list, was read for the first time, so it is unknown whether it is
 * new. `new`, `removed` and `returned` require a list that was read before. `changed`: a field has another value.
 */
export type ItemEvent = 'first' | 'new' | 'removed' | 'returned' | 'changed';

export interface KnownObject {
  readonly fields: Fields;
  readonly fetchedAt: number;
}

export interface KnownAppearance {
  /** The platform's own ID. Empty for an item without one, which is never reported as removed. */
  readonly id: string;
  /** Consecutive complete readings that lacked the item. */
  readonly missing: number;
  readonly isRemoved: boolean;
}

/** The state before an observation, by item key. */
export interface KnownState {
  /** The earlier readings of the same query; null if this is the first. */
  readonly subject: {
    readonly at: number;
    /** True if one of them read the list to its end. */
    readonly wasWhole: boolean;
  } | null;
  readonly objects: ReadonlyMap<string, KnownObject>;
  readonly appearances: ReadonlyMap<string, KnownAppearance>;
}

export interface Move {
  readonly key: string;
  readonly event: ItemEvent;
  readonly field: string | null;
  readonly before: unknown;
  readonly after: unknown;
  readonly fetchedAt: number;
}

export interface Compared {
  /** Objects to store, with their current fields. */
  readonly objects: readonly { readonly item: ObservedItem; readonly fields: Fields | null }[];
  readonly present: readonly ObservedItem[];
  /** Items missing from the list. */
  readonly absent: readonly ({ readonly key: string } & KnownAppearance)[];
  readonly moves: readonly Move[];
}

/** What a memory considers a change. */
export interface ChangeRule {
  /** True if a different count is a change. */
  readonly counts: boolean;
  /** True if a value that a page no longer has is a change; otherwise null says nothing. */
  readonly nulls: boolean;
}

const historyRule: ChangeRule = { counts: true, nulls: false };

/** Readings that must lack an item of a list of several pages, because it may have moved from one page to another. */
const witnesses = 2;

const nothing: Compared = { objects: [], present: [], absent: [], moves: [] };

/** Returns the current fields. A field that a page omits or abbreviates keeps its known value. */
function together(before: Fields, after: Fields, isBrief: boolean): Fields {
  const fields = { ...before, ...after };
  for (const [name, value] of Object.entries(after)) {
    const earlier = before[name] ?? null;
    if (value === null || (isBrief && earlier !== null && saysLess(value, earlier))) fields[name] = earlier;
  }
  return fields;
}

function distinct(items: readonly ObservedItem[]): readonly ObservedItem[] {
  const keys = new Set<string>();
  return items.filter(({ key }) => !keys.has(key) && keys.add(key));
}

const lastKnown = (items: readonly ObservedItem[], { appearances }: KnownState) =>
  items.findLastIndex(({ key }) => appearances.has(key));

/**
 * Compares an observation with the known state. Pure, and idempotent: a run that was killed may observe again.
 *
 * - A field has changed if two readings have different values. Null is ignored, and so are signed addresses and
 *   momentary values (`lib/volatile.ts`).
 * - An item of a known list is new, unless it follows all known items of a list never read to its end, where it may be
 *   old.
 * - An item is removed if a reading to the platform's own end of the list lacks it; for a list of several pages, two
 *   such readings in a row.
 */
export function compare(state: KnownState, observation: Observation, rule = historyRule): Compared {
  const { isCached, isBrief, isWhole, pages, at } = observation;
  const { subject, appearances } = state;
  // The cached answer is older than the last reading.
  if (subject !== null && isCached && at <= subject.at) return nothing;
  const items = distinct(observation.items);
  const reach = subject?.wasWhole === true ? -1 : lastKnown(items, state);
  const moves: Move[] = [];
  const objects: { item: ObservedItem; fields: Fields | null }[] = [];
  const event = (key: string, what: ItemEvent, fetchedAt: number) =>
    moves.push({ key, event: what, field: null, before: null, after: null, fetchedAt });
  for (const [index, item] of items.entries()) {
    const { key, fields, fetchedAt } = item;
    const appearance = appearances.get(key);
    if (appearance?.isRemoved === true) event(key, 'returned', fetchedAt);
    if (appearance === undefined) {
      const mayBeOld = subject === null || (reach >= 0 && index > reach);
      event(key, mayBeOld ? 'first' : 'new', fetchedAt);
    }
    const before = state.objects.get(key);
    if (before === undefined) {
      objects.push({ item, fields });
      continue;
    }
    if (fields === null || (isCached && fetchedAt <= before.fetchedAt)) continue;
    const now = rule.nulls && !isBrief ? fields : together(before.fields, fields, isBrief);
    objects.push({ item, fields: now });
    for (const [field, [from, to]] of Object.entries(changesOf(before.fields, now, rule.counts) ?? {})) {
      moves.push({ key, event: 'changed', field, before: from, after: to, fetchedAt });
    }
  }
  const absent = isWhole ? missingFrom(items, appearances, pages) : [];
  for (const { key, isRemoved } of absent) if (isRemoved) event(key, 'removed', at);
  return { objects, present: items, absent, moves };
}

function missingFrom(
  items: readonly ObservedItem[],
  appearances: KnownState['appearances'],
  pages: number,
): Compared['absent'] {
  const present = new Set(items.map(({ key }) => key));
  return [...appearances].flatMap(([key, { id, missing, isRemoved }]) => {
    if (isRemoved || id === '' || present.has(key)) return [];
    return [{ key, id, missing: missing + 1, isRemoved: missing + 1 >= (pages > 1 ? witnesses : 1) }];
  });
}

/** Returns the state after an observation. */
export function stateAfter(state: KnownState, { at, isWhole }: Observation, compared: Compared): KnownState {
  const { present, absent } = compared;
  const wasWhole = isWhole || state.subject?.wasWhole === true;
  const objects = new Map(state.objects);
  for (const { item, fields } of compared.objects)
    if (fields !== null) objects.set(item.key, { fields, fetchedAt: item.fetchedAt });
  const appearances = new Map(state.appearances);
  for (const { key, id } of present) appearances.set(key, { id, missing: 0, isRemoved: false });
  for (const { key, ...appearance } of absent) appearances.set(key, appearance);
  return { subject: { at: Math.max(at, state.subject?.at ?? at), wasWhole }, objects, appearances };
}
