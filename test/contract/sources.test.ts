import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as z from 'zod';
import type { Endpoint } from '../../lib/endpoint.js';
import { endpoints } from '../../lib/endpoints.js';
import { itemSource } from '../../lib/item-source-schema.js';
import { type ItemSource, sourceTexts } from '../../lib/read/item-source.js';
import { sampleFiles } from '../../lib/sample-files.js';
import { type Case, casesOf } from '../../lib/samples.js';
import { routeSource } from '../../lib/web/routes.js';
import { readRoutes } from '../support/read-routes.js';

type Item = Readonly<Record<string, unknown>>;

/** The items of the first page of a case, with their sources. */
async function located(endpoint: Endpoint, one: Case): Promise<readonly (readonly [Item, ItemSource])[]> {
  const limit = typeof one.params.limit === 'number' ? one.params.limit : (endpoint.page?.max ?? 1);
  const pages = routeSource(sampleFiles(endpoint.path), one.pages);
  const answer = await readRoutes<Item | Item[]>(endpoint, one.params, pages, { limit });
  const data = [answer.data].flat();
  const texts = sourceTexts(answer.sources ?? '[]', 0, answer.fetchedAt);
  const sources = JSON.parse(texts.sources) as ItemSource[];
  assert.equal(sources.length, data.length, `${one.name}: a source for each item`);
  return data.map((item, index) => [item, sources[index] as ItemSource]);
}

/** Which fields of an object say again what its source says: `id` and the author's handle or name. */
const sameFields: Readonly<Record<string, readonly [field: string, of: (source: ItemSource) => unknown][]>> =
  {
    maps_place: [['place_id', ({ id }) => id]],
    maps_place_detail: [['place_id', ({ id }) => id]],
    photosocial_post: [
      ['shortcode', ({ id }) => id],
      ['permalink', ({ url }) => url],
      ['username', ({ author }) => author?.handle ?? null],
    ],
    photosocial_comment: [['username', ({ author }) => author?.handle ?? null]],
    shortvideo_profile: [['profile_url', ({ url }) => url]],
    shortvideo_video: [['id', ({ id }) => id]],
    shortvideo_comment: [
      ['id', ({ id }) => id],
      ['username', ({ author }) => author?.handle ?? null],
    ],
  };

/** What at least one case of each endpoint must say of its items. */
const saidSomewhere: Readonly<Record<string, readonly ('id' | 'url' | 'author')[]>> = {
  'maps/reviews': ['id', 'url', 'author'],
  'maps/photos': ['id'],
  'pronetwork/posts': ['id', 'url', 'author'],
  'pronetwork/jobs': ['id', 'url', 'author'],
  'photosocial/comments': ['id', 'url', 'author'],
  'shortvideo/videos': ['id', 'url', 'author'],
  'shortvideo/video': ['id', 'url', 'author'],
  'shortvideo/comments': ['id', 'url', 'author'],
};

describe('the sources of all fixtures', () => {
  for (const endpoint of endpoints) {
    test(`${endpoint.path}: each item has one, which agrees with the item`, async () => {
      const all: (readonly [Item, ItemSource])[] = [];
      for (const one of await casesOf(endpoint)) {
        if (one.error === undefined) all.push(...(await located(endpoint, one)));
      }
      assert.doesNotThrow(() => z.array(itemSource).parse(all.map(([, source]) => source)));
      for (const [field, of] of sameFields[endpoint.returns.meta()?.id ?? ''] ?? []) {
        for (const [item, source] of all) assert.equal(of(source), item[field], field);
      }
      for (const { url } of all.map(([, source]) => source)) {
        if (url !== null) assert.match(url, /^https:\/\/www\.(?:google|linkedin|instagram|tiktok)\.com\//);
      }
      for (const name of saidSomewhere[endpoint.path] ?? ['id', 'url']) {
        assert.ok(
          all.some(([, source]) => source[name] !== null),
          `${name} is said by no case`,
        );
      }
      if (!endpoint.many) return;
      assert.ok(all.every(([, { position }]) => position >= 1));
    });
  }
});
