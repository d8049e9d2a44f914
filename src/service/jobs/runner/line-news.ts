import type { Answer } from '../../../../lib/call/envelope.js';
import type { Endpoint } from '../../../../lib/endpoint.js';
import type { ItemSource } from '../../../../lib/read/item-source.js';
import { itemKeys } from '../../../files/seen-items/item-keys.js';
import { keepItems } from '../../../lines/line.js';
import { changesOf } from '../../../lines/memory/changes.js';
import type { Given } from '../job.js';
import type { LineAnswer } from './line-condition.js';

type Fields = Readonly<Record<string, unknown>>;

/** An answer as far as it is news, and what is remembered of all of it. */
export interface LineNews {
  readonly answer: LineAnswer;
  readonly given: Given;
}

/** An answer, and how far it was read. */
export interface ReadAnswer extends LineAnswer, Partial<Pick<Answer, 'prints' | 'source'>> {
  /** True for a list that was read from its beginning to the end that the platform itself gives it. */
  readonly isWhole?: boolean;
}

/** By the names of items: the platform's own IDs, of those that have one. */
function idsOf(keys: readonly string[], sources = '[]'): Readonly<Record<string, string>> {
  const ids = (JSON.parse(sources) as readonly ItemSource[]).map(({ id }) => id);
  const known = keys.flatMap((key, place): [string, string][] => {
    const id = ids[place] ?? null;
    return id === null ? [] : [[key, id]];
  });
  return Object.fromEntries(known);
}

/**
 * The items that the list does not have any more. A line holds one page, so nothing can have slipped to another. An
 * answer of the cache may be older than what is known.
 */
function removedItems({ isWhole, source }: ReadAnswer, keys: readonly string[], before: Given | null) {
  if (isWhole !== true || source === 'cache' || before === null || !('items' in before)) return [];
  const present = new Set(keys);
  return before.items.flatMap((item) => {
    const id = before.ids?.[item];
    return id === undefined || present.has(item) ? [] : [{ item, id }];
  });
}

/**
 * The part of an answer that no earlier job of its schedule gave: the new items of a list, or an object of which a
 * field other than a count has changed.
 */
export function newsOf(endpoint: Endpoint, answer: ReadAnswer, given: Given | null): LineNews {
  const { json, sources, prints } = answer;
  if (endpoint.many) {
    const keys = itemKeys({ prints, sources }, JSON.parse(json) as unknown[]);
    const known = new Set(given !== null && 'items' in given ? given.items : []);
    const isNew = keys.map((key) => !known.has(key) && known.add(key) !== undefined);
    const removed = removedItems(answer, keys, given);
    return {
      answer: {
        ...keepItems({ json, sources }, isNew, true),
        ...(removed.length === 0 ? {} : { removed: removed.map(({ id }) => id) }),
      },
      given: {
        items: [...new Set(keys)],
        ids: idsOf(keys, sources),
        removed: removed.map(({ item }) => item),
      },
    };
  }
  const before = given !== null && 'object' in given ? given.object : null;
  const changes = before === null ? null : changesOf(before, JSON.parse(json) as Fields, false);
  const isNews = before === null || changes !== null;
  return {
    answer: {
      ...keepItems({ json, sources }, [isNews], false),
      ...(changes === null ? {} : { changed: changes }),
    },
    given: { object: isNews ? (JSON.parse(json) as Fields) : before },
  };
}
