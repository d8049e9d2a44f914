import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { linkOrNull, siteLinkOrNull, unwrapLink } from '../../../lib/platforms/pronetwork/links.js';
import {
  companyOfName,
  companyOfUrl,
  jobListUrl,
  moreUpdatesUrl,
  namedCompanyOfUrl,
  normalVanity,
  pageUrl,
  personOfName,
  personOfUrl,
} from '../../../lib/platforms/pronetwork/urls.js';

describe('addresses of profiles', () => {
  test('are the same escaped or not, and are requested escaped', () => {
    const name = { kind: 'in', vanity: 'åsa-björk' };
    for (const url of [
      'https://se.linkedin.com/in/%C3%A5sa-bj%C3%B6rk',
      'https://se.linkedin.com/in/%c3%a5sa-bj%c3%b6rk/',
      'https://se.linkedin.com/in/åsa-björk',
      `https://se.linkedin.com/in/${encodeURIComponent('åsa-björk'.normalize('NFD'))}`,
    ])
      assert.deepEqual(personOfUrl(url), name);
    assert.deepEqual(personOfName('Åsa-Björk'), name);
    assert.deepEqual(personOfName('%C3%A5sa-bj%C3%B6rk'), name);
    assert.equal(
      pageUrl({ kind: 'in', vanity: 'åsa-björk' }),
      'https://www.linkedin.com/in/%C3%A5sa-bj%C3%B6rk',
    );
  });

  test('are a name or an error of invalid input for any text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.webUrl()), (text) => {
        for (const reader of [personOfUrl, companyOfUrl, personOfName, companyOfName]) {
          try {
            const page = reader(text);
            assert.equal(normalVanity(page.vanity), page.vanity);
            assert.ok(URL.canParse(pageUrl(page)));
          } catch (error) {
            assert.ok(
              ['invalid_url', 'invalid_parameter'].includes((error as { code: string }).code),
              String(error),
            );
          }
        }
      }),
      { seed: 21, numRuns: 600 },
    );
  });
});

describe('addresses of companies', () => {
  test('are built from a name', () => {
    assert.deepEqual(companyOfName('M&T'), { kind: 'company', vanity: 'm&t' });
    assert.deepEqual(personOfName('@ada-stoker'), { kind: 'in', vanity: 'ada-stoker' });
    assert.equal(pageUrl(companyOfName('m&t')), 'https://www.linkedin.com/company/m%26t');
  });

  test('may be display names with spaces, unlike those of persons', () => {
    assert.deepEqual(companyOfName(' Ember &  Clay '), { kind: 'company', vanity: 'ember & clay' });
    assert.throws(() => personOfName('Ember & Clay'), { code: 'invalid_parameter' });
    assert.throws(() => companyOfName('& &'), { code: 'invalid_parameter' });
  });

  test('may be numbers, which have no posts', () => {
    const company = { kind: 'company', vanity: '11130470' };
    const url = 'https://www.linkedin.com/company/11130470/';
    assert.deepEqual(companyOfUrl(url), company);
    assert.deepEqual(companyOfName('11130470'), company);
    assert.throws(() => namedCompanyOfUrl(url), { code: 'invalid_url' });
    assert.deepEqual(personOfName('11130470'), { kind: 'in', vanity: '11130470' });
  });

  test('are not those of profiles', () => {
    assert.throws(() => companyOfUrl('https://www.linkedin.com/in/ilse-brandvik'), { code: 'invalid_url' });
  });
});

describe('addresses of requests', () => {
  const search = { keywords: 'rust developer', location: null, geo: null, workplace: null, seconds: null };
  const list =
    'https://www.linkedin.com/jobs-guest/jobs/api/seeMoreJobPostings/search?keywords=rust+developer';

  test('for a job list have the passed filters and the offset', () => {
    assert.equal(jobListUrl(search, 0), `${list}&start=0`);
    assert.equal(
      jobListUrl({ ...search, location: 'Åre, SE', geo: '106', workplace: '2', seconds: 604_800 }, 10),
      `${list}&location=%C3%85re%2C+SE&geoId=106&f_WT=2&f_TPR=r604800&start=10`,
    );
  });

  test('for further posts have the escaped token, if any', () => {
    const base = 'https://www.linkedin.com/organization-guest/api/feedUpdates/11130470';
    assert.equal(
      moreUpdatesUrl('11130470', 'a=/+&b', 10),
      `${base}?paginationToken=a%3D%2F%2B%26b&paginationStart=10`,
    );
    assert.equal(moreUpdatesUrl('11130470', null, 0), `${base}?paginationStart=0`);
  });
});

describe('links', () => {
  const platform = 'https://www.linkedin.com';
  for (const [link, own] of [
    ['https://no.linkedin.com/company/ember-and-clay/?trk=x', `${platform}/company/ember-and-clay`],
    ['/in/%C3%A5sa?x=1', `${platform}/in/%C3%A5sa`],
    ['https://example.org/company/x', null],
    [`${platform}/`, null],
    ['https://evil-linkedin.com/in/x', null],
    [null, null],
  ] as const) {
    test(`from ${link} to the platform are ${own}`, () => assert.equal(siteLinkOrNull(link), own));
  }

  const wrapped = `${platform}/redir/redirect?url=https%3A%2F%2Fkiln%2Eexample%2Fa%3Fb%3D1%26c%3D2&urlhash=x&trk=y`;
  for (const [link, target] of [
    [wrapped, 'https://kiln.example/a?b=1&c=2'],
    [`${platform}/pulse/x?url=https%3A%2F%2Fkiln.example`, null],
    ['https://kiln.example/redir/redirect?url=https%3A%2F%2Fx.example', null],
  ] as const) {
    test(`inside ${link} are ${target}`, () => assert.equal(unwrapLink(link), target));
  }

  for (const [link, target] of [
    [wrapped, 'https://kiln.example/a?b=1&c=2'],
    ['/redir/redirect?url=http%3A%2F%2Fkiln.example', 'http://kiln.example'],
    [`${platform}/redir/redirect?url=javascript%3Aalert(1)`, `${platform}/redir/redirect`],
    ['https://kiln.example/a?b=1', 'https://kiln.example/a?b=1'],
    ['https://kiln.example/a?b=1&trk=public_post-text', 'https://kiln.example/a?b=1'],
    [`${platform}/pulse/why-x?trk=y`, `${platform}/pulse/why-x`],
    ['mailto:a@b.example', null],
  ] as const) {
    test(`from ${link} are ${target}`, () => assert.equal(linkOrNull(link), target));
  }
});
