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
