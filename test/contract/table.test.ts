import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as z from 'zod';
import * as table from '../../lib/endpoints.js';
import { endpoints } from '../../lib/endpoints.js';
import { kindOf } from '../../lib/params/describe.js';
import { casesOf } from '../../lib/samples.js';
import { fixturesOf } from '../support/fixtures.js';

/** The contract's rows: operation, credits, cache seconds, largest page (0: one object), own parameters, object. */
const contract: Record<
  string,
  [operation: string, credits: number, seconds: number, max: number, params: string, object: string]
> = {
  'maps/places': ['search_places', 3, 86_400, 20, 'query lat lng radius_m country language', 'maps_place'],
  'maps/place': ['get_place', 3, 86_400, 0, 'place_id|url language', 'maps_place_detail'],
  'maps/reviews': ['get_place_reviews', 3, 21_600, 20, 'place_id|url sort', 'maps_review'],
  'maps/photos': ['get_place_photos', 2, 86_400, 20, 'place_id|url', 'maps_photo'],
  'pronetwork/profile': ['get_pronetwork_profile', 10, 43_200, 0, 'url|vanity_name', 'pronetwork_profile'],
  'pronetwork/company': ['get_pronetwork_company', 6, 86_400, 0, 'url|vanity_name', 'pronetwork_company'],
  'pronetwork/posts': ['get_pronetwork_posts', 6, 10_800, 20, 'profile_url|company_url', 'pronetwork_post'],
  'pronetwork/jobs': [
    'search_pronetwork_jobs',
    4,
    10_800,
    25,
    'query location workplace_type posted_within_days',
    'pronetwork_job',
  ],
  'photosocial/profile': ['get_photosocial_profile', 3, 43_200, 0, 'username|url', 'photosocial_profile'],
  'photosocial/posts': ['get_photosocial_posts', 3, 10_800, 24, 'username|url', 'photosocial_post'],
  'photosocial/post': ['get_photosocial_post', 2, 10_800, 0, 'url|shortcode', 'photosocial_post'],
  'photosocial/comments': ['get_photosocial_comments', 3, 3600, 50, 'url|shortcode', 'photosocial_comment'],
  'photosocial/hashtag': ['get_photosocial_hashtag', 4, 3600, 24, 'tag', 'photosocial_post'],
  'shortvideo/profile': ['get_shortvideo_profile', 3, 43_200, 0, 'username|url', 'shortvideo_profile'],
  'shortvideo/videos': ['get_shortvideo_videos', 3, 10_800, 30, 'username|url', 'shortvideo_video'],
  'shortvideo/video': ['get_shortvideo_video', 2, 10_800, 0, 'url|id', 'shortvideo_video'],
  'shortvideo/comments': ['get_shortvideo_comments', 3, 3600, 50, 'url|id', 'shortvideo_comment'],
  'shortvideo/search': ['search_shortvideo_videos', 4, 10_800, 30, 'query', 'shortvideo_video'],
};
const order = Object.keys(contract);

describe('the table of endpoints', () => {
  test('has every row of the contract, in its order', () => {
    assert.deepEqual(
      endpoints.map(({ path }) => path),
      order,
    );
  });

  for (const endpoint of endpoints) {
    const row = contract[endpoint.path];
    test(`${endpoint.path} matches the contract`, () => {
      assert.ok(row, 'not in the contract');
      const [operation, credits, seconds, max, params, object] = row;
      assert.equal(endpoint.operation, operation);
      assert.equal(endpoint.credits, credits);
      assert.equal(endpoint.cacheSeconds, seconds);
      assert.equal(endpoint.page?.max ?? 0, max);
      assert.equal(endpoint.many, max > 0);
      assert.equal(endpoint.returns.meta()?.id, object);
      const words = params.split(' ');
      const pair = words.find((word) => word.includes('|'))?.split('|') ?? null;
      assert.deepEqual(endpoint.exactlyOne?.toSorted() ?? null, pair?.toSorted() ?? null);
      const ownParams = words.flatMap((word) => word.split('|'));
      const paged = max > 0 ? ['limit', 'cursor'] : [];
      assert.deepEqual(
        Object.keys(endpoint.params).sort(),
        [...ownParams, ...paged, 'fresh', 'demo', 'sources'].sort(),
      );
    });

    test(`${endpoint.path} describes itself, each parameter and each field`, () => {
      assert.ok(endpoint.summary.length > 10 && !endpoint.summary.endsWith('.'));
      assert.ok(endpoint.description.length > 40);
      for (const [name, schema] of Object.entries(endpoint.params))
        assert.ok(kindOf(schema).description, name);
      for (const [name, schema] of Object.entries((endpoint.returns as z.ZodObject).shape)) {
        assert.ok(
          (schema as z.ZodType).description ??
            JSON.stringify(z.toJSONSchema(schema as z.ZodType)).includes('description'),
          name,
        );
      }
    });

    test(`${endpoint.path} returns objects with exactly the documented keys`, () => {
      const { $defs = {} } = z.toJSONSchema(endpoint.returns);
      const schema = $defs[String(endpoint.returns.meta()?.id)];
      assert.ok(schema?.properties);
      assert.equal(schema.additionalProperties, false);
      assert.deepEqual(schema.required?.toSorted(), Object.keys(schema.properties).sort());
    });

    test(`${endpoint.path} is exported under its operation’s name`, () => {
      const name = endpoint.operation.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
      const exported = (table as unknown as Record<string, { endpoint?: unknown }>)[name];
      assert.equal(exported?.endpoint, endpoint);
    });

    test(`${endpoint.path} has samples of an answer and of each kind of outcome`, async () => {
      const cases = await casesOf(endpoint);
      assert.ok(cases[0]?.expect, fixturesOf(endpoint));
      const codes = new Set(cases.map(({ error }) => error));
      assert.ok(codes.has('platform_changed'), 'platform_changed');
      assert.ok(codes.has('platform_blocked'), 'platform_blocked');
      if (endpoint.page !== null)
        assert.ok(
          cases.some(({ expect = [] }) => expect.length > 1),
          'two pages',
        );
      assert.equal(new Set(cases.map(({ name }) => name)).size, cases.length, 'names are unique');
    });
  }
});
