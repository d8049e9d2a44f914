import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseSubject, subjectKeys, subjectText } from '../../lib/suppressions/subject.js';
import { refusalOf } from '../support/server-answers.js';

describe('a subject', () => {
  for (const [raw, text] of [
    ['https://www.tiktok.com/@Baker?lang=en', 'shortvideo:@baker'],
    ['tiktok.com/@baker/live', 'shortvideo:@baker'],
    ['tiktok:@Baker', 'shortvideo:@baker'],
    ['shortvideo:baker', 'shortvideo:@baker'],
    ['https://www.tiktok.com/@baker/video/7571863205253778710', 'shortvideo:7571863205253778710'],
    ['https://www.instagram.com/bake.r/', 'photosocial:@bake.r'],
    ['instagram:BAKE.R', 'photosocial:@bake.r'],
    ['https://www.instagram.com/baker/reel/DdG4RIxIPyf/', 'photosocial:p/DdG4RIxIPyf'],
    ['https://de.linkedin.com/in/Ada-Lovelace/?trk=x', 'pronetwork:in/ada-lovelace'],
    ['linkedin:ada-lovelace', 'pronetwork:in/ada-lovelace'],
    ['linkedin:company/Analytical-Engines', 'pronetwork:company/analytical-engines'],
    ['linkedin:Ada Lovelace', 'pronetwork:name:ada lovelace'],
    ['https://www.linkedin.com/jobs/view/baker-at-mill-4012345678', 'pronetwork:4012345678'],
    ['maps:ChIJtjc9rEc1bkcRzq9EdYiTlqE', 'maps:ChIJtjc9rEc1bkcRzq9EdYiTlqE'],
    ['maps:0x476e3547ac3d37b6:0xa19693887544afce', 'maps:ChIJtjc9rEc1bkcRzq9EdYiTlqE'],
    [
      'https://www.google.com/maps/place/Mill/data=!4m2!3m1!1s0x476e3547ac3d37b6:0xa19693887544afce',
      'maps:ChIJtjc9rEc1bkcRzq9EdYiTlqE',
    ],
    ['https://www.google.com/maps/contrib/100000000000000000001/reviews', 'maps:100000000000000000001'],
    ['maps:Jane  Doe ', 'maps:name:jane doe'],
    ['  maps:name:JANE DOE', 'maps:name:jane doe'],
  ] as const) {
    test(`${raw} is ${text}`, () => {
      const subject = parseSubject(raw);
      assert.equal(subjectText(subject), text);
      assert.deepEqual(parseSubject(text), subject, 'its text leads to it again');
      assert.equal(subjectKeys(subject)[0], subject.key);
    });
  }

  test('that is a place has its cid, too', () => {
    const byCid = parseSubject(`https://www.google.com/maps?cid=${String(0xa19693887544afcen)}`);
    const byId = parseSubject('maps:ChIJtjc9rEc1bkcRzq9EdYiTlqE');
    assert.ok(subjectKeys(byId).includes(byCid.key));
  });

  for (const text of [
    ...['', 'nasa', '@nasa', 'tiktok:', 'tiktok:@', 'maps:name: ', `maps:${'x'.repeat(301)}`],
    ...['https://example.com/@nasa', 'https://vm.tiktok.com/ZMabcdef/'],
    'instagram:https://www.tiktok.com/@nasa',
  ]) {
    test(`is not named by ${JSON.stringify(text.slice(0, 50))}`, async () => {
      const error = await refusalOf(Promise.resolve().then(() => parseSubject(text)));
      assert.equal(error.code, 'invalid_parameter');
    });
  }
});
