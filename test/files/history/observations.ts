import type { Observation, ObservedItem } from '../../../src/lines/memory/observation.js';

export const minute = 60_000;
export const day = 24 * 60 * minute;
const start = Date.parse('2026-01-01T00:00:00Z');

/** How a reading differs from a plain one. `at`: milliseconds after the first of January 2026. */
export interface Reading extends Partial<Omit<Observation, 'items' | 'at'>> {
  readonly at?: number;
}

function item(id: string, position: number, at: number, fields: object): ObservedItem {
  const url = `https://photosocial.example/${id}`;
  return { key: id, id, url, position, fetchedAt: at, fields: fields as ObservedItem['fields'] };
}

function reading(
  label: string,
  endpoint: string,
  object: string,
  items: Observation['items'],
  more: Reading,
) {
  const { at = 0, ...others } = more;
  return {
    ...{ endpoint, object, question: `asked for ${label}`, label, items, at: start + at },
    ...{ pages: 1, isWhole: false, isBrief: false, isCached: false },
    ...others,
  };
}

/** A reading of an invented account. */
export function anAccount(handle: string, fields: object, more: Reading = {}): Observation {
  const account = { username: handle, biography: null, followers_count: null, media_count: null, ...fields };
  const items = [item(handle, 1, start + (more.at ?? 0), account)];
  return reading(handle, 'photosocial/profile', 'photosocial_profile', items, more);
}

/** A reading of an invented account's posts. `fields` are each post's fields other than its shortcode. */
export function aPostList(
  handle: string,
  ids: readonly string[],
  { fields = {}, ...more }: Reading & { readonly fields?: Readonly<Record<string, object>> } = {},
): Observation {
  const at = start + (more.at ?? 0);
  const items = ids.map((id, index) =>
    item(id, index + 1, at, { shortcode: id, caption: null, like_count: null, ...fields[id] }),
  );
  return reading(handle, 'photosocial/posts', 'photosocial_post', items, more);
}
