import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { companyNamed } from '../../../lib/platforms/pronetwork/routes/company-names.js';
import { placeOf } from '../../../lib/platforms/pronetwork/routes/typeahead.js';
import { readSuggestions } from '../../../lib/platforms/pronetwork/suggestions.js';
import { pageOf, site } from './markup.js';

const answer = (body: string, status = 200) =>
  readSuggestions(pageOf(`${site}/jobs-guest/api/typeaheadHits`, body, status));

describe('suggestions', () => {
  test('are the entries with a number and a name', () => {
    const leeds = { id: '101', type: 'GEO', displayName: 'Leeds, England', trackingId: 'x' };
    const hits = [leeds, null, { id: 'x', displayName: 'Leeds' }, { id: '102' }];
    assert.deepEqual(answer(JSON.stringify(hits)), [{ id: '101', name: 'Leeds, England' }]);
    assert.deepEqual(answer('[]'), []);
  });

  for (const [body, status, code] of [
    ['', 200, 'platform_blocked'],
    ['', 999, 'platform_blocked'],
    ['', 429, 'platform_rate_limited'],
    ['{"elements":[]}', 200, 'platform_changed'],
    ['<html><head><meta name="pageKey" content="auth_wall"></head></html>', 200, 'platform_login_required'],
  ] as const) {
    test(`are ${code} for ${status} “${body}”`, () => assert.throws(() => answer(body, status), { code }));
  }
});

const named = (...names: string[]) => names.map((name, at) => ({ id: String(at), name }));

describe('a place', () => {
  const places = named('75001, Paris', 'Greater Paris', 'Paris, Texas', 'Paris, France');
  for (const [words, suggestions, id, why] of [
    ['paris, france', places, '3', 'has that name'],
    ['Paris', places, '2', 'begins with it'],
    ['Lutetia', places, '1', 'is the first that is not a postal code'],
    ['75001', places, '0', 'is that postal code'],
    ['Lutetia', places.slice(0, 1), undefined, 'is omitted, because it is a postal code'],
  ] as const) {
    test(`“${words}” is the suggestion ${id}, which ${why}`, () =>
      assert.equal(placeOf(words, suggestions)?.id, id));
  }
});

describe('a company', () => {
  const companies = named('Ember & Clay', 'Ember & Clay Kilns', 'Quiet Lantern', 'Quiet Lantern');
  for (const name of ['ember & clay', 'Émber &  CLAY'])
    test(`is the only one named “${name}”`, () => assert.equal(companyNamed(name, companies).id, '0'));

  for (const [name, suggestions, message] of [
    ['ember kilns', companies, /no company named “ember kilns”, but “Ember & Clay”, “Ember & Clay Kilns”/],
    ['quiet lantern', companies, /2 companies named “Quiet Lantern”/],
    ['ember kilns', [], /suggests no company for “ember kilns”/],
  ] as const) {
    test(`is refused without exactly that name: ${message.source}`, () =>
      assert.throws(() => companyNamed(name, suggestions), { code: 'platform_login_required', message }));
  }
});
