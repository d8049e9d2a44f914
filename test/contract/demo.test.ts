import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { envelope } from '../../lib/call/envelope.js';
import type { Endpoint } from '../../lib/endpoint.js';
import { endpoints } from '../../lib/endpoints.js';
import { ExtractError } from '../../lib/errors/extract-error.js';
import { createExtractor } from '../../lib/extractor.js';
import { canonicalJson } from '../../lib/read/json.js';
import { casesOf, identityOf } from '../../lib/samples.js';
import { expectedAnswers } from '../support/cases.js';
import { otherSubjects } from '../support/other-subjects.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const extractor = createExtractor({ home: temporaryFolder() });
after(() => extractor.close());

type Params = Readonly<Record<string, unknown>>;

const demo = async (endpoint: Endpoint, params: Params) =>
  envelope<unknown>(await extractor.answer(endpoint, { ...params, demo: true, sources: true }));

const endpointAt = (path: string) => endpoints.find((one) => one.path === path) as Endpoint;
const searchJobs = endpointAt('pronetwork/jobs');

/** The fields of an answer, and the types that their values have. */
function fieldsOf(value: unknown, path = ''): string[] {
  if (value === null || typeof value !== 'object')
    return [`${path}: ${value === null ? null : typeof value}`];
  const isList = Array.isArray(value);
  const below = Object.entries(value).flatMap(([key, one]) =>
    fieldsOf(one, isList ? `${path}[]` : `${path}.${key}`),
  );
  return [...new Set([`${path}: ${isList ? 'list' : 'object'}`, ...below])].sort();
}

describe('a demo answers as the ladder does:', () => {
  for (const endpoint of endpoints) {
    test(`${endpoint.path}, about what a fixture holds`, async () => {
      const identities = new Set<string>();
      for (const one of await casesOf(endpoint)) {
        const identity = canonicalJson(identityOf(endpoint, one));
        if (identities.has(identity)) continue;
        identities.add(identity);
        // The case's error may belong to a later page.
        const outcome = await demo(endpoint, one.params).catch((error: ExtractError) => error);
        if (outcome instanceof ExtractError) assert.equal(outcome.code, one.error, one.name);
        else if (one.error === undefined)
          assert.deepEqual(outcome.data, expectedAnswers(endpoint, one)[0], one.name);
      }
    });

    test(`${endpoint.path}, about another subject`, async () => {
      const [sample] = await casesOf(endpoint);
      const { limit } = sample?.params ?? {};
      const sampleAnswer = await demo(endpoint, sample?.params ?? {});
      const other = await demo(endpoint, {
        ...otherSubjects[endpoint.path],
        ...(limit === undefined ? {} : { limit }),
      });
      assert.notDeepEqual([other.data, other.sources], [sampleAnswer.data, sampleAnswer.sources]);
      assert.deepEqual(fieldsOf(other.data), fieldsOf(sampleAnswer.data));
      assert.deepEqual(other.coverage, sampleAnswer.coverage);
      // A sample without a page is a fault of the sample, not of the platform.
      const outcomes = sampleAnswer.coverage?.routes.map(({ outcome }) => outcome) ?? [];
      assert.ok(!outcomes.includes('platform_unavailable'));
    });
  }
});

test('a demo of words with a blank has hashtags of one word each', async () => {
  const { data } = await extractor.getPhotosocialHashtag({ tag: 'Two  words', demo: true });
  assert.ok(data.length > 1);
  const [first] = data;
  assert.match(first?.caption ?? '', /#twowords/);
  assert.ok(first?.hashtags?.includes('twowords'));
  assert.ok(data.every(({ hashtags }) => hashtags?.every((tag) => !/\s/.test(tag))));
});

test('a demo of jobs in a place has jobs in that place', async () => {
  const { data } = await extractor.searchPronetworkJobs({ query: 'potter', location: 'Bergen', demo: true });
  assert.deepEqual([...new Set(data.map(({ location }) => location))], ['Bergen']);
});

test('a demo of jobs names the filters that its jobs do not meet', async () => {
  const ignored = async (filters: Params) =>
    (await demo(searchJobs, { query: 'potter', ...filters })).coverage?.ignored;
  assert.deepEqual(await ignored({}), []);
  assert.deepEqual(await ignored({ workplace_type: 'remote' }), ['workplace_type']);
  assert.deepEqual(await ignored({ posted_within_days: 1 }), ['posted_within_days']);
  assert.deepEqual(await ignored({ location: 'Bergen', workplace_type: 'remote', posted_within_days: 1 }), [
    'workplace_type',
    'posted_within_days',
  ]);
});

test('a demo of a place says its language where another was requested', async () => {
  const place_id = 'ChIJDdnwdv0y5xQRRytw1ihZQeU';
  const nameIn = async (language: string) =>
    (await extractor.getPlace({ place_id, language, demo: true })).data.name;
  assert.match(await nameIn('de'), / \(sample\)$/);
  assert.match(await nameIn('en'), / \(sample, language de\)$/);
  const rowIn = async (language: string) =>
    (await extractor.searchPlaces({ query: 'potter', language, demo: true })).data[0]?.name ?? '';
  assert.match(await rowIn('en'), / \(sample\)$/);
  assert.match(await rowIn('de'), / \(sample, language en\)$/);
});

test('demos of two places show no photo twice', async () => {
  const photos = async (place_id: string) =>
    (await extractor.getPlacePhotos({ place_id, demo: true })).data.map(({ url }) => url);
  const all = [
    ...(await photos('ChIJAQA9rEc1bkcR_wBEdYiTlqE')),
    ...(await photos('ChIJNVsWObd15xQRU3nNQXbKgH4')),
  ];
  assert.equal(new Set(all).size, all.length);
  assert.deepEqual(await photos('ChIJAQA9rEc1bkcR_wBEdYiTlqE'), all.slice(0, all.length / 2));
});

test('a demo of reviews has them in the requested order', async () => {
  const reviews = async (sort: 'highest' | 'lowest' | 'newest') =>
    (await extractor.getPlaceReviews({ place_id: 'ChIJAQA9rEc1bkcR_wBEdYiTlqE', sort, demo: true })).data;
  for (const [sort, sign] of [
    ['highest', -1],
    ['lowest', 1],
  ] as const) {
    const stars = (await reviews(sort)).map(({ rating }) => rating ?? 0);
    assert.deepEqual(
      stars,
      stars.toSorted((one, other) => sign * (one - other)),
    );
  }
  const times = (await reviews('newest')).map(({ publish_time }) => publish_time ?? '');
  assert.deepEqual(times, times.toSorted().reverse());
});

test('a demo of a phrase is read from the page for its words, as a hashtag has none', async () => {
  const search = endpointAt('shortvideo/search');
  const places = async (query: string) =>
    (await demo(search, { query, limit: 2 })).coverage?.routes.map(({ route }) => route)[0];
  assert.deepEqual([await places('zimble quarv'), await places('zimblequarv')], ['discover', 'embed-tag']);
});

test('a demo of a person’s posts has a person as their author', async () => {
  const { sources } = await demo(endpointAt('pronetwork/posts'), {
    profile_url: 'https://www.linkedin.com/in/zimble-quarv',
  });
  assert.ok(sources !== undefined && sources.length > 0);
  for (const { author } of sources) assert.equal(author?.url, 'https://www.linkedin.com/in/zimble-quarv');
});
