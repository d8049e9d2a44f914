import { digest, fingerprint } from '../../../lib/call/cursor.js';
import type { Endpoint } from '../../../lib/endpoint.js';
import type { Json } from '../../../lib/read/json.js';
import { contentKey } from '../../files/result-files/content-key.js';
import { stableValue } from '../../files/result-files/stable-value.js';
import type { Changes } from './changes.js';
import type { ChangeRule, Compared } from './compare.js';
import { type Fields, type Observation, type ObservedOutcome, observationOf } from './observation.js';

/** An observation remembered so that later runs omit what it saw, with its rule of changes. */
export interface SeenObservation {
  readonly observation: Observation;
  readonly rule: ChangeRule;
}

export interface SeenOutcome extends ObservedOutcome {
  readonly prints?: readonly string[] | undefined;
}

/** Characters of a value's digest: enough to distinguish two values of one field. */
const digestLength = 6;

/**
 * Replaces the fields by digests of their stable values, because a memory of a million items cannot hold their texts.
 */
const digests = (fields: Fields): Fields =>
  Object.fromEntries(
    Object.entries(stableValue(fields, false) as Fields).map(([name, value]) => [
      name,
      value === null ? null : digest(value as Json).slice(0, digestLength),
    ]),
  );

/**
 * Converts an outcome to what is remembered: an object with its values, the items of a list with their digests. A
 * cached answer may be older than the stored state, so it does not prove a removal. Throws the `invalid_request`
 * errors.
 */
export function seenObservation(
  endpoint: Endpoint,
  params: Fields,
  texts: boolean,
  outcome: SeenOutcome,
  { counts, now }: { readonly counts: boolean; readonly now: number },
): SeenObservation {
  const observation = observationOf(endpoint, params, texts, outcome, now);
  const rule = { counts, nulls: !endpoint.many };
  if (!endpoint.many) return { observation, rule };
  const { prints = [] } = outcome;
  const items = observation.items.map((item, index) => {
    const fields = item.fields as Fields;
    const content = contentKey(fields);
    const isNamed = !item.id.endsWith(content);
    const print = prints.length === observation.items.length ? prints[index] : undefined;
    return {
      ...item,
      id: isNamed ? item.id : '',
      fields: observation.isBrief ? null : digests(fields),
      earlierKeys: [...(print === undefined ? [] : [print]), fingerprint(item.id), content],
    };
  });
  const isWhole = observation.isWhole && !observation.isCached;
  return { observation: { ...observation, items, isWhole, isCached: false }, rule };
}

export interface SeenCounts {
  readonly new: number;
  readonly changed: number;
  readonly unchanged: number;
  readonly removed: number;
}

export interface UnseenItems {
  readonly isNew: readonly boolean[];
  readonly changed: Changes | null;
  /** The platform's own IDs of items that are no longer in the list. */
  readonly removed: readonly string[];
  readonly counts: SeenCounts;
}

export function unseenItemsOf({ items }: Observation, { moves, absent, present }: Compared): UnseenItems {
  const fresh = new Set(
    moves.filter(({ event }) => event !== 'changed' && event !== 'removed').map(({ key }) => key),
  );
  const changes = moves.filter(({ key, event }) => event === 'changed' && !fresh.has(key));
  const changedCount = new Set(changes.map(({ key }) => key)).size;
  const removed = absent.filter(({ isRemoved }) => isRemoved).map(({ id }) => id);
  const counts = {
    ...{ new: fresh.size, changed: changedCount, removed: removed.length },
    unchanged: present.length - fresh.size - changedCount,
  };
  const fieldChanges = Object.fromEntries(
    changes.map(({ field, before, after }) => [String(field), [before, after]] as const),
  );
  return {
    isNew: items.map(({ key }) => fresh.delete(key)),
    changed: changes.length === 0 ? null : fieldChanges,
    removed,
    counts,
  };
}
