import { changesOf } from './changes.js';
import type { Fields, Observation, ObservedItem } from './observation.js';
import { saysLess } from './says-less.js';

/**
 * The kind of a change. `first`: the item, or its list, was read for the first time, so nobody knows whether it is new.
 * `new`, `removed` and `returned` need a list that was read before. `changed`: a field has another value.
 */
export type ItemEvent = 'first' | 'new' | 'removed' | 'returned' | 'changed';

/** An object as earlier readings left it. */
export interface KnownObject {
  readonly fields: Fields;
  readonly fetchedAt: number;
}

/** An item in a list, as earlier readings left it. */
export interface KnownAppearance {
  /** The platform's own ID; empty for an item without one, of which nobody can say that it was removed. */
  readonly id: string;
  /** Readings to the end, one after the other, that lacked it. */
  readonly missing: number;
  readonly isRemoved: boolean;
}

/** The state before an observation. Items are named by their keys. */
export interface Known {
  /** The earlier readings of the same question; null where this is the first. */
  readonly subject: {
    readonly at: number;
    /** True where one of them read the list to its end. */
    readonly wasWhole: boolean;
  } | null;
  readonly objects: ReadonlyMap<string, KnownObject>;
  readonly appearances: ReadonlyMap<string, KnownAppearance>;
}

/** One move: an event of an item, with the field and its values where a field changed. */
export interface Move {
  readonly key: string;
  readonly event: ItemEvent;
  readonly field: string | null;
  readonly before: unknown;
  readonly after: unknown;
  readonly fetchedAt: number;
}

/** The new state that an observation leads to, with the moves towards it. */
export interface Compared {
  /** Objects to be kept, with their fields as they are now. */
  readonly objects: readonly { readonly item: ObservedItem; readonly fields: Fields | null }[];
  /** Items that the list has. */
  readonly present: readonly ObservedItem[];
  /** Items that the list lacks, with their state from now on. */
  readonly absent: readonly ({ readonly key: string } & KnownAppearance)[];
  readonly moves: readonly Move[];
}

/** What a memory takes for a change. */
export interface ChangeRule {
  /** Another count is a change. */
  readonly counts: boolean;
  /** A value that a page no longer gives is a change; else null says nothing. */
  readonly nulls: boolean;
}

/** The rule of histories. */
const historyRule: ChangeRule = { counts: true, nulls: false };

/** Readings that must lack an item of a list of several pages: it may have slipped from one page to another. */
const witnesses = 2;

const nothing: Compared = { objects: [], present: [], absent: [], moves: [] };

/** The fields as they are now: what a page does not say, or says in less detail, stays as it was known. */
function together(before: Fields, after: Fields, isBrief: boolean): Fields {
  const fields = { ...before, ...after };
  for (const [name, value] of Object.entries(after)) {
    const known = before[name] ?? null;
    if (value === null || (isBrief && known !== null && saysLess(value, known))) fields[name] = known;
  }
  return fields;
}

/** The items of a list, each once, where it stands first. */
function distinct(items: readonly ObservedItem[]): readonly ObservedItem[] {
  const seen = new Set<string>();
  return items.filter(({ key }) => !seen.has(key) && seen.add(key));
}

/** Where the last item stands that was known before; -1 for none. */
const lastKnown = (items: readonly ObservedItem[], { appearances }: Known) =>
  items.findLastIndex(({ key }) => appearances.has(key));

/**
 * Compares an observation with what is known. The rule of all histories, pure: the same observation twice moves nothing the
 * second time, so a run that was killed may observe again.
 *
 * - A field is changed where two readings say two values. Null says nothing, and changes nothing that is known. Signed
 *   addresses and what holds for the moment are no change (`lib/volatile.ts`).
 * - An item of a known list is new, unless it stands behind all known ones of a list whose end nobody has read: there it
 *   may be old.
 * - An item is removed where a reading to the platform's own end of the list lacks it; of a list of several pages, two
 *   such readings in a row.
 */
export function compare(known: Known, observation: Observation, rule = historyRule): Compared {
  const { isCached, isBrief, isWhole, pages, at } = observation;
  const { subject, appearances } = known;
  // An answer from the cache says nothing new about what was read after it.
  if (subject !== null && isCached && at <= subject.at) return nothing;
  const items = distinct(observation.items);
  const reach = subject?.wasWhole === true ? -1 : lastKnown(items, known);
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
    const before = known.objects.get(key);
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

/** The items that a reading to the end lacks for the first time, or for the second. */
function missingFrom(
  items: readonly ObservedItem[],
  appearances: Known['appearances'],
  pages: number,
): Compared['absent'] {
  const present = new Set(items.map(({ key }) => key));
  return [...appearances].flatMap(([key, { id, missing, isRemoved }]) => {
    if (isRemoved || id === '' || present.has(key)) return [];
    return [{ key, id, missing: missing + 1, isRemoved: missing + 1 >= (pages > 1 ? witnesses : 1) }];
  });
}

/** The state after an observation, as it will be once that is recorded. */
export function stateAfter(known: Known, { at, isWhole }: Observation, compared: Compared): Known {
  const { present, absent } = compared;
  const wasWhole = isWhole || known.subject?.wasWhole === true;
  const objects = new Map(known.objects);
  for (const { item, fields } of compared.objects)
    if (fields !== null) objects.set(item.key, { fields, fetchedAt: item.fetchedAt });
  const appearances = new Map(known.appearances);
  for (const { key, id } of present) appearances.set(key, { id, missing: 0, isRemoved: false });
  for (const { key, ...appearance } of absent) appearances.set(key, appearance);
  return { subject: { at: Math.max(at, known.subject?.at ?? at), wasWhole }, objects, appearances };
}
