import assert from 'node:assert/strict';
import { test } from 'node:test';
import { companyNamed } from '../../../lib/platforms/pronetwork/routes/company-names.js';
import { placeOf } from '../../../lib/platforms/pronetwork/routes/typeahead.js';
import { readSuggestions } from '../../../lib/platforms/pronetwork/suggestions.js';
import { page } from '../../../lib/web/page.js';

const answer = (body: string, status = 200) =>
  readSuggestions(
    page('https://www.linkedin.com/jobs-guest/api/typeaheadHits', status, {}, Buffer.from(body)),
  );

test('suggestions are those with a number and a name; what is none is refused or changed', () => {
  const hits = [
    { id: '101', type: 'GEO', displayName: 'Leeds, England', trackingId: 'x' },
    null,
    { id: 'x', displayName: 'Leeds' },
    { id: '102' },
  ];
  assert.deepEqual(answer(JSON.stringify(hits)), [{ id: '101', name: 'Leeds, England' }]);
  assert.deepEqual(answer('[]'), []);
  for (const [body, status, code] of [
    ['', 200, 'platform_blocked'],
    ['', 999, 'platform_blocked'],
    ['', 429, 'platform_rate_limited'],
    ['{"elements":[]}', 200, 'platform_changed'],
    ['<html><head><meta name="pageKey" content="auth_wall"></head></html>', 200, 'platform_login_required'],
  ] as const) {
    assert.throws(() => answer(body, status), { code }, `${status} ${body}`);
  }
});

test('a place is the one of that name, one that begins with it, or the best that is not a postal code', () => {
  const places = ['75001, Paris', 'Greater Paris', 'Paris, Texas', 'Paris, France'].map((name, at) => ({
    id: String(at),
    name,
  }));
  assert.equal(placeOf('paris, france', places)?.id, '3');
  assert.equal(placeOf('Paris', places)?.id, '2');
  assert.equal(placeOf('Lutetia', places)?.id, '1');
  assert.equal(placeOf('75001', places)?.id, '0');
  assert.equal(placeOf('Lutetia', places.slice(0, 1)), null);
});

test('a company is the only one with exactly that name; a part of a name, or two of one name, matches none', () => {
  const companies = ['Ember & Clay', 'Ember & Clay Kilns', 'Quiet Lantern', 'Quiet Lantern'].map(
    (name, at) => ({ id: String(at), name }),
  );
  assert.equal(companyNamed('ember & clay', companies).id, '0');
  assert.equal(companyNamed('Émber &  CLAY', companies).id, '0');
  for (const [name, words] of [
    ['ember kilns', /no company named “ember kilns”, but “Ember & Clay”, “Ember & Clay Kilns”/],
    ['quiet lantern', /2 companies named “Quiet Lantern”/],
  ] as const) {
    assert.throws(
      () => companyNamed(name, companies),
      { code: 'platform_login_required', message: words },
      name,
    );
  }
  assert.throws(() => companyNamed('ember kilns', []), { message: /suggests no company for “ember kilns”/ });
});
