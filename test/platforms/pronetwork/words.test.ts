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

  test('stated dates keep their precision, and lose their day', () => {
    assert.equal(statedDate(2000), '2000');
    assert.equal(statedDate('2014-02'), '2014-02');
    assert.equal(statedDate('2014-02-03'), '2014-02');
    assert.equal(statedDate('2014-02-03T10:00:00Z'), '2014-02');
    for (const value of [null, undefined, '', '14', 0, 20_141, '2014-2', {}, 'Feb 2014'])
      assert.ok([null, '2014'].includes(statedDate(value)), String(value));
  });

  test('a language is one that is known, else English', () => {
    assert.equal(languageOf('sv_SE'), 'sv-SE');
    assert.equal(languageOf('en_US'), 'en-US');
    for (const tag of [null, '', 'not a tag', '_', 'xx-notalanguage!']) assert.equal(languageOf(tag), 'en');
  });
});

describe('lists in words', () => {
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
    test(`${JSON.stringify(text)} in ${language}`, () =>
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
    test(text, () => {
      const [currency, min, max, period] = expected;
      assert.deepEqual(salaryOf(text), { text, currency, min, max, period });
    });
  }

  test('JSON-LD says it better than words', () => {
    const base = { currency: 'SCR', value: { minValue: '12000.0', maxValue: 15_000, unitText: 'MONTH' } };
    assert.deepEqual(salaryOf('from twelve', base), {
      text: 'from twelve',
      currency: 'SCR',
      min: 12_000,
      max: 15_000,
      period: 'month',
    });
    assert.deepEqual(salaryOf('$1/hr', { currency: 'rupees', value: { value: 1, unitText: 'ERA' } }), {
      text: '$1/hr',
      currency: null,
      min: 1,
      max: 1,
      period: null,
    });
  });

  test('pay of 0 is pay that is not said', () => {
    const pay = (value: object) => {
      const { min, max } = salaryOf('competitive', { currency: 'USD', value }) ?? {};
      return [min, max];
    };
    assert.deepEqual(pay({ minValue: 0, maxValue: 90_000 }), [null, 90_000]);
    assert.deepEqual(pay({ minValue: 80_000, maxValue: 0 }), [80_000, null]);
    assert.deepEqual(pay({ minValue: '0.0', maxValue: '0' }), [null, null]);
    assert.deepEqual(pay({ value: 0 }), [null, null]);
  });

  test('pay that the page does not word is not made up', () => {
    assert.equal(salaryOf(null, { currency: 'USD', value: { value: 1 } }), null);
  });
});

describe('the moment in a number', () => {
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

  test('is found in urns and in addresses, escaped or not', () => {
    const id = '7354041404517474307';
    for (const text of [
      `urn:li:activity:${id}`,
      `urn:li:share:${id}`,
      `https://www.linkedin.com/feed/update/urn:li:ugcPost:${id}/`,
      `https://www.linkedin.com/feed/update/urn%3Ali%3Aactivity%3A${id}`,
      `https://www.linkedin.com/posts/someone_words-in-a-slug-activity-${id}-AbCd`,
      `https://www.linkedin.com/posts/someone_share-${id}-x`.replace('_share', '_a-share'),
    ])
      assert.equal(activityIdOf(text), id, text);
    for (const text of [null, '', 'urn:li:job:7354041404517474307', 'activity-12', `-activity-${id}${id}`])
      assert.equal(activityIdOf(text), null);
  });
});

describe('visible text', () => {
  test('asterisks are what is hidden, whatever characters are between them', () => {
    for (const text of ['***', '*** ****', '** - **', '*****, ***.']) {
      assert.ok(isMasked(text), text);
      assert.equal(visibleOrNull(text), null);
    }
    for (const text of ['C*', '* Founder *', 'a ** b']) assert.equal(visibleOrNull(text), text);
    assert.equal(visibleOrNull('-'), null);
    assert.equal(visibleOrNull(null), null);
  });

  test('a place may name the workplace', () => {
    assert.equal(workplaceIn('Bergen, Norway (Hybrid)'), 'hybrid');
    assert.equal(workplaceIn('United States (Remote)'), 'remote');
    assert.equal(workplaceIn('Leeds (On-site)'), 'on-site');
    assert.equal(workplaceIn('Remote, Oregon'), null);
    assert.equal(workplaceIn(null), null);
  });

  test('a title may name the workplace, set off from its other words', () => {
    assert.equal(workplaceIn('Leeds', 'Lamp tester (100% remote)'), 'remote');
    assert.equal(workplaceIn('Leeds', 'Lamp tester - Hybrid'), 'hybrid');
    assert.equal(workplaceIn('Leeds', 'Lamp tester | onsite only'), 'on-site');
    assert.equal(workplaceIn('Leeds', 'Remote sensing engineer'), null);
    assert.equal(workplaceIn('Leeds', 'Lamp tester (not remote)'), null);
    assert.equal(workplaceIn('Leeds (Hybrid)', 'Lamp tester (Remote)'), null);
    assert.equal(workplaceIn('Leeds', 'Hybrid or on-site lamp tester (Remote)'), null);
  });

  test('jobs are unrelated where under 30 % of the first ten hold a word of the search', () => {
    const of = (...titles: string[]) => [...titles, ...Array(10 - titles.length).fill('Film inspector')];
    assert.equal(areUnrelated(of(), 'lamp tester'), true);
    assert.equal(areUnrelated(of('Lamp fitter', 'Head of lamps'), 'lamp tester'), true);
    assert.equal(areUnrelated(of('Lamp fitter', 'Head of lamps', 'TESTER'), 'lamp tester'), false);
    assert.equal(areUnrelated(of('Älgspårare', 'Algspar', 'ALGSPÅR'), 'älgspår'), false);
    assert.equal(areUnrelated(of('Goalkeeper', 'Gopher', 'Gong'), 'go'), true, 'short words are whole ones');
    assert.equal(areUnrelated(['Cake decorator'], 'film or inspector'), true);
    assert.equal(areUnrelated([], 'lamp'), false);
    assert.equal(areUnrelated(of(), '!'), false);
  });
});
