import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { readCompanyPage } from '../../../lib/platforms/pronetwork/company-page.js';
import { readProfilePage } from '../../../lib/platforms/pronetwork/profile-page.js';
import { packageRoot } from '../../../lib/runtime/package-root.js';
import { pageOf, site, withoutLd } from './markup.js';

const fixture = (name: string) => readFileSync(path.join(packageRoot(), 'fixtures/pronetwork', name), 'utf8');

const profileHtml = withoutLd(fixture('profile/rich.html'), 'interactionStatistic');
const companyHtml = fixture('company/rich.html').replace('527,060 followers on', 'People on');

/** The page in another language, with another text for its followers. */
const reworded = (html: string, original: string, words: string, locale: string) => {
  const changed = html
    .replace(original, words)
    .replace(/(<meta name="locale" content=")[^"]*/, (_, meta: string) => meta + locale);
  assert.ok(changed.includes(words));
  return changed;
};

const readProfile = (html: string) =>
  readProfilePage(pageOf(`${site}/in/ilse-brandvik`, html), { kind: 'in', vanity: 'ilse-brandvik' });
const ofProfile = (words: string, locale: string) =>
  readProfile(reworded(profileHtml, '12K followers', words, locale));

function ofCompany(words: string, locale: string) {
  const html = reworded(companyHtml, '527,060 followers', words, locale);
  const name = { kind: 'company', vanity: 'ember-and-clay' } as const;
  return readCompanyPage(pageOf(`${site}/company/ember-and-clay`, html), name);
}

/** Followers as worded on pages, the page's language, and the count if it is unambiguous. */
const wordings: readonly (readonly [words: string, locale: string, count: number | null])[] = [
  ['12,3K followers', 'en_US', 12_300],
  ['1.2Cr followers', 'en_IN', 12_000_000],
  ['12,3 Tsd. Follower', 'de_DE', 12_300],
  ['12 t følgere', 'da_DK', 12_000],
  ['12,3 B takipçi', 'tr_TR', 12_300],
  ['1,2 млн підписників', 'uk_UA', 1_200_000],
  ['١٢٫٣ ألف متابع', 'ar_AE', 12_300],
  ['12 rb pengikut', 'in_ID', 12_000],
  ['フォロワー1.2万人', 'ja_JP', 12_000],
  ['12 zzz followers', 'en_US', null],
  ['12 tys. sekaikkan', 'pl_PL', null],
  ['1,234,5 followers', 'en_US', null],
];

describe('followers in words', () => {
  for (const [words, locale, count] of wordings) {
    test(`are ${count} for “${words}” on a page in ${locale}`, () => {
      for (const reader of [ofProfile, ofCompany]) assert.equal(reader(words, locale).follower_count, count);
      assert.equal(ofProfile(words, locale).location, 'Bergen, Vestland, Norway');
    });
    // A page may be in another language than its own head says.
    test(`are the same or null for “${words}” on a page in English`, () => {
      for (const reader of [ofProfile, ofCompany])
        assert.ok([count, null].includes(reader(words, 'en_US').follower_count));
    });
  }

  test('are not taken for a place, and neither is the contact link', () => {
    const html = profileHtml
      .replace('<span>Bergen, Vestland, Norway</span>', '')
      .replace('12K followers', '12 sekaikkan</span><span data-modal="contact-info_modal">Contact info');
    assert.equal(readProfile(withoutLd(html, 'address')).location, null);
  });
});
