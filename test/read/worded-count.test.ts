import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import * as counted from '../../lib/platforms/pronetwork/counted-words.js';
import { namesCounted, wordedCount } from '../../lib/read/worded-count.js';

const { followers } = counted;

describe('a count in words', () => {
  for (const [text, count] of [
    ['5,750 followers', 5750],
    ['1 follower', 1],
    ['41M followers', 41_000_000],
    ['1.2K+ followers', 1200],
    ['1,23,456 followers', 123_456],
    ['1.2 lakh followers', 120_000],
    ['3 crore followers', 30_000_000],
    ['12 B followers', 12_000_000_000],
    ['31,5K followers', 31_500],
    ['1 234 followers', 1234],
    ['1\u00a0234\u202f567 followers', 1_234_567],
    ['393,418 followers on LinkedIn. 12 lamps and more', 393_418],
    ['12.480 Follower:innen', 12_480],
    ['1,2 Mio. Follower', 1_200_000],
    ['12,3 Tsd. Follower', 12_300],
    ['5 750 abonnés', 5750],
    ['1,2 Md d’abonnés', 1_200_000_000],
    ['1,2 M de seguidores', 1_200_000],
    ['10 mil seguidores', 10_000],
    ['1,2 mi de seguidores', 1_200_000],
    ['41 Mln follower', 41_000_000],
    ['12,3 mln. volgers', 12_300_000],
    ['12,3 tn följare', 12_300],
    ['1,2 mill. følgere', 1_200_000],
    ['12 t. seuraajaa', 12_000],
    ['12,3 tys. obserwujących', 12_300],
    ['1,2 mil. sledujících', 1_200_000],
    ['20 de urmăritori', 20],
    ['1,2 mil. de urmăritori', 1_200_000],
    ['12,5 E követő', 12_500],
    ['12,3 B takipçi', 12_300],
    ['Takipçi: 12 B', 12_000],
    ['12,3 тыс. отслеживающих', 12_300],
    ['1,2 млн підписників', 1_200_000],
    ['12 χιλ. ακόλουθοι', 12_000],
    ['5٬750 متابع', 5750],
    ['١٢٫٣ ألف متابع', 12_300],
    ['۱۲٬۳۴۵ دنبال‌کننده', 12_345],
    ['1.2K עוקבים', 1200],
    ['१,२३,४५६ फ़ॉलोअर', 123_456],
    ['12 हज़ार फ़ॉलोअर', 12_000],
    ['১২,৩৪৫ ফলোয়ার', 12_345],
    ['12 ล้านผู้ติดตาม', 12_000_000],
    ['1,2 N người theo dõi', 1200],
    ['12 rb pengikut', 12_000],
    ['1,2 jt pengikut', 1_200_000],
    ['フォロワー1.2万人', 12_000],
    ['1.2万 フォロワー', 12_000],
    ['팔로워 1.2만명', 12_000],
    ['1.2万位关注者', 12_000],
    ['1.2萬位關注者', 12_000],
    // An unknown word, a number that is none, and one that begins in its middle.
    ['12 xyz followers', null],
    ['12 mahnd seguidores', null],
    ['12 B abonnés', null],
    ['1.234M seguidores', null],
    ['1.234.567,8K seguidores', 1_234_567_800],
    ['12½ followers', null],
    ['12,3 followers', null],
    ['1,234,5 followers', null],
    ['0.123 followers', null],
    ['94105 393 418 followers', null],
    ['12 34 followers', null],
    ['12 of 30 followers', null],
    ['-12 followers', null],
    ['x12 followers', null],
    ['wafuasi elfu 12', null],
    ['12 lamps', null],
    ['12', null],
    ['followers', null],
    ['', null],
    [null, null],
    [`${'9'.repeat(30)} followers`, null],
  ] as const) {
    test(`${JSON.stringify(text)} is ${count}`, () =>
      assert.equal(wordedCount(text, 'en', followers), count));
  }

  for (const [text, language, count] of [
    ['12 M pengikut', 'ms', 12_000_000],
    ['12 M pengikut', 'id', 12_000_000_000],
    ['12 M pengikut', 'en', null],
    ['12 B takipçi', 'tr-TR', 12_000],
    ['3 mil. sledujících', 'es', 3_000_000],
    ['1.2Cr followers', 'en-IN', 12_000_000],
    // The same letter means a thousand in Danish, and nothing in Norwegian.
    ['12 t følgere', 'no', null],
    ['12 t følgere', 'da', 12_000],
  ] as const) {
    test(`“${text}” on a page in ${language} is ${count}`, () =>
      assert.equal(wordedCount(text, language, followers), count));
  }

  for (const [text, language, count] of [
    ['2,656', 'en', 2656],
    ['2.656', null, 2656],
    ['1,2 B', 'tr', 1200],
    ...['1,2 B', '12 likes', 'about 12', '12.3'].map((text) => [text, null, null] as const),
  ] as const) {
    test(`“${text}” alone, on a page in ${language}, is ${count}`, () =>
      assert.equal(wordedCount(text, language), count));
  }

  test('followers, connections and places are distinguished', () => {
    for (const text of ['681 followers', '5 750 följare', '12.480 Follower:innen', 'متابع ١٢'])
      assert.ok(namesCounted(text, followers) && !namesCounted(text, counted.connections), text);
    for (const text of ['500+ connections', '318 kontakter', '200 relations', '90 Kontakte', '500+ 1촌'])
      assert.ok(namesCounted(text, counted.connections) && !namesCounted(text, followers), text);
    for (const text of ['Bergen, Norway', 'Paris 15', 'Connecticut', 'Followers Lane'])
      assert.ok(!namesCounted(text, followers) && !namesCounted(text, counted.connections), text);
    assert.equal(wordedCount('500+ connections', 'en', counted.connections), 500);
    assert.equal(wordedCount('500+ 1촌', 'ko', counted.connections), 500);
    assert.equal(wordedCount('View all 1,204 employees', 'en', counted.employees), 1204);
  });
});

/** The word of each language that follows a number. */
const behind: Readonly<Record<keyof typeof followers, string>> = {
  ar: 'متابع',
  bn: 'ফলোয়ার',
  cs: 'sledujících',
  da: 'følgere',
  de: 'Follower',
  el: 'ακόλουθοι',
  en: 'followers',
  es: 'seguidores',
  fa: 'دنبال‌کننده',
  fi: 'seuraajaa',
  fil: 'tagasubaybay',
  fr: 'abonnés',
  he: 'עוקבים',
  hi: 'फ़ॉलोअर',
  hu: 'követő',
  id: 'pengikut',
  it: 'follower',
  ja: 'フォロワー',
  ko: '팔로워',
  mr: 'फॉलोअर्स',
  ms: 'pengikut',
  nl: 'volgers',
  no: 'følgere',
  pa: 'ਫਾਲੋਅਰ',
  pl: 'obserwujących',
  pt: 'seguidores',
  ro: 'urmăritori',
  ru: 'отслеживающих',
  sv: 'följare',
  te: 'అనుచరులు',
  th: 'ผู้ติดตาม',
  tr: 'takipçi',
  uk: 'підписників',
  vi: 'người theo dõi',
  zh: '关注者',
  'zh-TW': '關注者',
};
const regions = 'en-IN en-ZA es-MX es-AR pt-PT de-AT de-CH fr-CH fr-CA it-CH ar-EG'.split(' ');
const others =
  'af am az be bg bs ca cy et eu ga gl gu hr hy is ka kk km kn ky lo lt lv mk ml mn my ne or si sk sl sq sr sw ta ur uz yue zu'.split(
    ' ',
  );

/** A number as a language formats it. The formatted text says what it is rounded to. */
const anyNumber = fc.oneof(fc.nat(20_000), fc.integer({ min: 0, max: 4_000_000_000 }));
const anyForm = fc.constantFrom<Intl.NumberFormatOptions>(
  {},
  { notation: 'compact' },
  { notation: 'compact', compactDisplay: 'long' },
  { notation: 'compact', maximumFractionDigits: 1, minimumFractionDigits: 1 },
  { notation: 'compact', maximumSignificantDigits: 4 },
);

/** Asserts that what is read back from a formatted number is formatted as that number is, or null. */
function holdsRead(format: Intl.NumberFormat, value: number, count: number | null): boolean {
  const text = format.format(value);
  if (count !== null) assert.equal(format.format(count), text, `${text} was read as ${count}`);
  return count !== null;
}

describe('formatted by the Unicode data and read back', () => {
  test('a number in words of any language of the platform is right, or null', () => {
    let total = 0;
    let all = 0;
    const language = fc.constantFrom(...Object.keys(behind), ...regions);
    const page = fc.option(fc.constantFrom('en-US', 'de-DE', 'tr-TR', 'id-ID', 'ja-JP'));
    fc.assert(
      fc.property(language, page, anyNumber, anyForm, (tag, other, value, form) => {
        const format = new Intl.NumberFormat(tag, form);
        const word = behind[tag] ?? behind[tag.split('-')[0] as string];
        const count = wordedCount(`${format.format(value)} ${word}`, other ?? tag, followers);
        const isRead = holdsRead(format, value, count);
        // Digits after a separator that no count uses: “14,0”, “1.234M”.
        if (form.maximumSignificantDigits ?? form.minimumFractionDigits) return;
        all += 1;
        if (isRead) total += 1;
      }),
      { seed: 31, numRuns: 4000 },
    );
    assert.ok(total > 0.95 * all, `${total} of ${all} were read`);
  });

  test('a number alone is right in any language, or null', () => {
    const language = fc.constantFrom(...Object.keys(behind), ...regions, ...others);
    fc.assert(
      fc.property(language, anyNumber, anyForm, (tag, value, form) => {
        const format = new Intl.NumberFormat(tag, form);
        holdsRead(format, value, wordedCount(format.format(value), tag));
      }),
      { seed: 32, numRuns: 4000 },
    );
  });
});
