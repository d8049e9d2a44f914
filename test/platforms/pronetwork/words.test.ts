import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { activityIdOf, publishedAt } from '../../../lib/platforms/pronetwork/activity-id.js';
import { languageOf, statedDate, wordedDate } from '../../../lib/platforms/pronetwork/dates.js';
import { isMasked, visibleOrNull } from '../../../lib/platforms/pronetwork/mask-check.js';
import { salaryOf } from '../../../lib/platforms/pronetwork/salary.js';
import { areUnrelated } from '../../../lib/platforms/pronetwork/search-words.js';
import { parseSpecialties } from '../../../lib/platforms/pronetwork/specialties.js';
import { workplaceIn } from '../../../lib/platforms/pronetwork/workplace.js';

describe('dates in words', () => {
  for (const [text, language, date] of [
    ['2000', 'en', '2000'],
    ['Feb 2014', 'en', '2014-02'],
    ['February 2014', 'en', '2014-02'],
    ['Sept 2014', 'en-GB', '2014-09'],
    ['févr. 2014', 'fr', '2014-02'],
    ['août 2014', 'fr', '2014-08'],
    ['Mär. 2014', 'de', '2014-03'],
    ['März 2014', 'de', '2014-03'],
    ['maj 2018', 'sv', '2018-05'],
    ['okt. 2015', 'sv', '2015-10'],
    ['feb. de 2014', 'es', '2014-02'],
    ['fev de 2014', 'pt', '2014-02'],
    ['2014年2月', 'ja', '2014-02'],
    ['2014. 2.', 'ko', '2014-02'],
    ['02/2014', 'en', '2014-02'],
    ['Feb 2014', 'sv', '2014-02'],
    ['Nonsense 2014', 'en', '2014'],
    ['13/2014', 'en', '2014'],
    ['Jan 5, 2014', 'en', '2014-01'],
    ['5 févr. 2014', 'fr', '2014-02'],
    ['5 de feb de 2014', 'es', '2014-02'],
    ['05/02/2014', 'en', '2014'],
    ['1. 2. 2014', 'cs', '2014'],
    ['5 فوریه 2014', 'fa', '2014-02'],
    ['فوریه 2014', 'fa', '2014-02'],
    ['فبراير ٢٠١٤', 'ar', '2014-02'],
    ['สิงหาคม 2557', 'th', null],
    ['февр. 2014 г.', 'ru', '2014-02'],
    ['tháng 2 năm 2014', 'vi', '2014-02'],
    ['5 nonsense 2014', 'en', '2014'],
    ['Present', 'en', null],
    ['12345', 'en', null],
    [null, 'en', null],
  ] as const) {
    test(`${JSON.stringify(text)} in ${language} is ${date}`, () =>
      assert.equal(wordedDate(text, language), date));
  }

  for (const [value, date] of [
    [2000, '2000'],
    ['2014-02', '2014-02'],
    ['2014-02-03', '2014-02'],
    ['2014-02-03T10:00:00Z', '2014-02'],
    ...[null, undefined, '', '14', 0, 20_141, {}, 'Feb 2014', '2014-2'].map((value) => [value, null]),
  ]) {
    test(`${JSON.stringify(value)} in data is ${date}`, () => assert.equal(statedDate(value), date));
  }

  for (const [tag, language] of [
    ['sv_SE', 'sv-SE'],
    ['en_US', 'en-US'],
    ...[null, '', 'not a tag', '_', 'xx-notalanguage!'].map((tag) => [tag, 'en'] as const),
  ] as const) {
    test(`${tag} is the language ${language}`, () => assert.equal(languageOf(tag), language));
  }
});

describe('specialties in words', () => {
  for (const [text, language, items] of [
    ['a, b, and c', 'en', ['a', 'b', 'c']],
    ['research, development and repair, and tiles', 'en', ['research', 'development and repair', 'tiles']],
    ['a, b', 'en', ['a', 'b']],
    ['research and development', 'en', ['research and development']],
    ['one', 'en', ['one']],
    ['a, b and', 'en', ['a', 'b and']],
    ['Glas, Licht und Messing', 'de', ['Glas', 'Licht', 'Messing']],
    ['glas, ljus och mässing', 'sv', ['glas', 'ljus', 'mässing']],
    ['verre, lumière et laiton', 'fr', ['verre', 'lumière', 'laiton']],
    [', , and ', 'en', []],
    ['', 'en', []],
  ] as const) {
    test(`are [${items}] in ${JSON.stringify(text)} (${language})`, () =>
      assert.deepEqual(parseSpecialties(text, language), items));
  }
});

describe('pay in words', () => {
  for (const [text, expected] of [
    ['SCR 12,000.00/mo - SCR 15,000.00/mo', ['SCR', 12_000, 15_000, 'month']],
    ['$120,000.00/yr - $150,000.50/yr', ['USD', 120_000, 150_000.5, 'year']],
    ['$25.00/hr', ['USD', 25, 25, 'hour']],
    ['CA$95,000/yr – CA$110,000/yr', ['CAD', 95_000, 110_000, 'year']],
    ['£60K - £72.5K', ['GBP', 60_000, 72_500, null]],
    ['$2.01M/yr - $2.03M/yr', ['USD', 2_010_000, 2_030_000, 'year']],
    ['€400/wk', ['EUR', 400, 400, 'week']],
    ['₹1,000,000.00 - ₹1,500,000.00', ['INR', 1_000_000, 1_500_000, null]],
    ['30 000 kr i månaden', [null, null, null, null]],
    ['€12.000/mo', [null, null, null, null]],
    ['€31,5K', [null, null, null, null]],
    ['$150,000/yr - $120,000/yr', [null, null, null, null]],
    ['$10/hr - €12/hr', [null, null, null, null]],
    ['competitive', [null, null, null, null]],
    ['$0.00/yr - $120,000.00/yr', ['USD', null, 120_000, 'year']],
    ['$0/hr', ['USD', null, null, 'hour']],
  ] as const) {
    test(`is ${expected} for “${text}”`, () => {
      const [currency, min, max, period] = expected;
      assert.deepEqual(salaryOf(text), { text, currency, min, max, period });
    });
  }

  for (const [text, currency, value, expected] of [
    [
      'from twelve',
      'SCR',
      { minValue: '12000.0', maxValue: 15_000, unitText: 'MONTH' },
      ['SCR', 12_000, 15_000, 'month'],
    ],
    ['$1/hr', 'rupees', { value: 1, unitText: 'ERA' }, [null, 1, 1, null]],
    // Pay of 0 is pay that is not stated.
    ['competitive', 'USD', { minValue: 0, maxValue: 90_000 }, ['USD', null, 90_000, null]],
    ['competitive', 'USD', { minValue: 80_000, maxValue: 0 }, ['USD', 80_000, null, null]],
    ['competitive', 'USD', { minValue: '0.0', maxValue: '0' }, [null, null, null, null]],
    ['competitive', 'USD', { value: 0 }, [null, null, null, null]],
  ] as const) {
    test(`is ${expected} for “${text}” with ${JSON.stringify(value)} in the JSON-LD`, () => {
      const [expectedCurrency, min, max, period] = expected;
      assert.deepEqual(salaryOf(text, { currency, value }), {
        text,
        currency: expectedCurrency,
        min,
        max,
        period,
      });
    });
  }

  test('is null without words on the page', () => {
    assert.equal(salaryOf(null, { currency: 'USD', value: { value: 1 } }), null);
  });
});

describe('the time in an activity ID', () => {
  for (const [id, moment] of [
    ['7354041404517474307', '2025-07-24T06:55:02.319Z'],
    ['7353457075244478465', '2025-07-22T16:13:07.364Z'],
    ['7507123671249879040', '2026-09-19T17:09:18.839Z'],
    ['7496640558342324224', '2026-08-21T18:53:09.955Z'],
    ['7468765250281046016', '2026-06-05T20:46:38.615Z'],
    ['100000000000000', null],
    ['99999999999999999999', null],
    [null, null],
  ] as const) {
    test(`${id} is ${moment}`, () => assert.equal(publishedAt(id), moment));
  }

  const id = '7354041404517474307';
  for (const [text, activity] of [
    [`urn:li:activity:${id}`, id],
    [`urn:li:share:${id}`, id],
    [`https://www.linkedin.com/feed/update/urn:li:ugcPost:${id}/`, id],
    [`https://www.linkedin.com/feed/update/urn%3Ali%3Aactivity%3A${id}`, id],
    [`https://www.linkedin.com/posts/someone_words-in-a-slug-activity-${id}-AbCd`, id],
    [`https://www.linkedin.com/posts/someone_a-share-${id}-x`, id],
    ...[null, '', `urn:li:job:${id}`, 'activity-12', `-activity-${id}${id}`].map(
      (text) => [text, null] as const,
    ),
  ] as const) {
    test(`${activity} is found in ${text}`, () => assert.equal(activityIdOf(text), activity));
  }
});

describe('visible text', () => {
  for (const [text, visible] of [
    ...['***', '*** ****', '** - **', '*****, ***.'].map((text) => [text, null] as const),
    ...['C*', '* Founder *', 'a ** b'].map((text) => [text, text] as const),
    ...['-', null].map((text) => [text, null] as const),
  ]) {
    test(`of ${JSON.stringify(text)} is ${visible}`, () => {
      assert.equal(visibleOrNull(text), visible);
      if (text?.includes('*')) assert.equal(isMasked(text), visible === null);
    });
  }
});

describe('the workplace type', () => {
  for (const [place, title, workplace] of [
    ['Bergen, Norway (Hybrid)', null, 'hybrid'],
    ['United States (Remote)', null, 'remote'],
    ['Leeds (On-site)', null, 'on-site'],
    ['Remote, Oregon', null, null],
    [null, null, null],
    ['Leeds', 'Lamp tester (100% remote)', 'remote'],
    ['Leeds', 'Lamp tester - Hybrid', 'hybrid'],
    ['Leeds', 'Lamp tester | onsite only', 'on-site'],
    ['Leeds', 'Remote sensing engineer', null],
    ['Leeds', 'Lamp tester (not remote)', null],
    ['Leeds (Hybrid)', 'Lamp tester (Remote)', null],
    ['Leeds', 'Hybrid or on-site lamp tester (Remote)', null],
  ] as const) {
    test(`of “${title ?? 'a job'}” in “${place}” is ${workplace}`, () =>
      assert.equal(workplaceIn(place, title), workplace));
  }
});

describe('jobs of a search', () => {
  for (const [titles, query, isOther] of [
    [[], 'lamp tester', true],
    [['Lamp fitter', 'Head of lamps'], 'lamp tester', true],
    [['Lamp fitter', 'Head of lamps', 'TESTER'], 'lamp tester', false],
    [['Älgspårare', 'Algspar', 'ALGSPÅR'], 'älgspår', false],
    // Short words are whole ones.
    [['Goalkeeper', 'Gopher', 'Gong'], 'go', true],
    [[], '!', false],
  ] as const) {
    test(`${isOther ? 'do not answer' : 'answer'} “${query}” with [${titles}] among ten titles`, () => {
      const ten = [...titles, ...Array(10 - titles.length).fill('Film inspector')];
      assert.equal(areUnrelated(ten, query), isOther);
    });
  }

  test('may be fewer than ten', () => {
    assert.equal(areUnrelated(['Cake decorator'], 'film or inspector'), true);
    assert.equal(areUnrelated([], 'lamp'), false);
  });
});
