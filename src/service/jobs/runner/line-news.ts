import type { Endpoint } from '../../../../lib/endpoint.js';
import { changesOf } from '../../../files/seen-items/changes.js';
import { itemKeys } from '../../../files/seen-items/item-keys.js';
import type { Given } from '../job.js';
import { keepItems, type LineAnswer } from './line-condition.js';

type Fields = Readonly<Record<string, unknown>>;

/** An answer as far as it is news, and what is remembered of all of it. */
export interface LineNews {
  readonly answer: LineAnswer;
  readonly given: Given;
}

/**
 * The part of an answer that no earlier job of its schedule gave: the new items of a list, or an object of which a
 * field other than a count has changed.
 */
export function newsOf(
  endpoint: Endpoint,
  answer: LineAnswer & { readonly prints?: readonly string[] | undefined },
  given: Given | null,
): LineNews {
  const { json, sources, prints } = answer;
  if (endpoint.many) {
    const keys = itemKeys({ prints, sources }, JSON.parse(json) as unknown[]);
    const known = new Set(given !== null && 'items' in given ? given.items : []);
    const isNew = keys.map((key) => !known.has(key) && known.add(key) !== undefined);
    return { answer: keepItems({ json, sources }, isNew, true), given: { items: [...new Set(keys)] } };
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
