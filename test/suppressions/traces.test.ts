import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseSubject } from '../../lib/suppressions/subject.js';
import { Traces } from '../../lib/suppressions/traces.js';

const traces = (text: string) => new Traces([parseSubject(text)]);

describe('traces of a subject', () => {
  for (const [subject, text, isNamed] of [
    ['tiktok:@baker', '{"handle":"Baker"}', true],
    ['tiktok:@baker', 'https://www.tiktok.com/@baker/video/1', true],
    ['tiktok:@baker', 'with @baker.', true],
    ['tiktok:@baker', '"text":"first\\nbaker"', true],
    ['tiktok:@baker', 'https:\\u002F\\u002Fwww.tiktok.com\\u002F\\u0040baker', true],
    ['tiktok:@baker', '?to=%2Fbaker', true],
    ['tiktok:@baker', 'bakers', false],
    ['tiktok:@baker', 'the.baker', false],
    ['tiktok:@baker', 'baker.two', false],
    ['tiktok:@baker', 'baker_2', false],
    ['tiktok:7571863205253778710', '"7571863205253778710"', true],
    ['tiktok:7571863205253778710', '75718632052537787101', false],
    ['instagram:p/DdG4RIxIPyf', '/p/DdG4RIxIPyf/', true],
    ['instagram:p/DdG4RIxIPyf', '/p/ddg4rixipyf/', false],
    ['linkedin:in/ada-lovelace', 'linkedin.com/in/Ada-Lovelace?x', true],
    ['maps:Jane Doe', '"name":"JANE DOE"', true],
    ['maps:Jane Doe', 'maps/search/Jane%20Doe', true],
    ['maps:Jane Doe', 'Jane Doering', false],
    ['maps:Jané 😀', '"by Jan\\u00e9 \\ud83d\\ude00"', true],
    ['maps:Jané 😀', '"by Jan\\\\u00E9 😀"', true],
    ['maps:Jané 😀', 'Jan\\u00e8 😀', false],
    ['maps:陈大文', '作者陈大文说', true],
    ['maps:ChIJtjc9rEc1bkcRzq9EdYiTlqE', '!1s0x476e3547ac3d37b6:0xa19693887544afce', true],
    ['maps:ChIJtjc9rEc1bkcRzq9EdYiTlqE', `?cid=${0xa19693887544afcen}`, true],
    ['maps:Dan "The Man" Doe', JSON.stringify({ name: 'Dan "The Man" Doe' }), true],
    ['maps:Dan "The Man" Doe', JSON.stringify(JSON.stringify('Dan "The Man" Doe')), true],
    ['maps:Dan "The Man" Doe', '"Dan ""The Man"" Doe",5', true],
    ['maps:Dan "The Man" Doe', 'alt="Dan &quot;The Man&quot; Doe"', true],
    ['maps:Dan\\Doe', JSON.stringify('Dan\\Doe'), true],
    ["maps:O'Neil & Co", "O'Neil & Co", true],
    ["maps:O'Neil & Co", 'O&#39;Neil &amp; Co', true],
    ["maps:O'Neil & Co", 'O\\u0027Neil \\u0026 Co', true],
    ["maps:O'Neil & Co", 'maps/search/O%27Neil%20%26%20Co', true],
    ['maps:İbrahim Doe', '"name":"İbrahim Doe"', true],
    ['maps:İbrahim Doe', '"by \\u0130brahim Doe"', true],
    ['maps:İbrahim Doe', 'maps/search/%C4%B0brahim%20Doe', true],
    ['maps:Jane Müller', 'by Jane M&uuml;ller', true],
    ['maps:Jane Müller', 'by Jane M&#252;ller', true],
    ['maps:Jane Müller', 'by Jane M\u0075\u0308ller', true],
    ['maps:Jane Müller', 'maps/search/Jane%20Mu%CC%88ller', true],
    ['maps:Jane Müller', '"JANE M\\u00dcLLER"', true],
    ['maps:Jüne Müller', 'Jüne Mu\u0308ller', true],
    ['maps:Jüne Müller', 'Ju\u0308ne Müller', true],
    ['maps:Jüne Müller', 'Ju\\u0308ne M\\u00fcller', true],
    ['maps:Jüne Müller', 'J%C3%BCne%20Mu%CC%88ller', true],
    ['maps:Jüne Müller', 'Jüne Muller', false],
    ['maps:Nguyệt', 'Nguye\u0323\u0302t', true],
    ['maps:Nguyệt', 'Nguyê\u0323t', true],
    ['maps:Nguyệt', 'Nguy\u1eb9\u0302t', true],
    ['maps:Nguyệt', 'Nguyê\u0302t', false],
    ['maps:Jane Müller', 'Jane Muller', false],
    ['maps:Jane', 'Jane\u0301', false],
    ['maps:Jane Doe', 'Jane  Doe', true],
    ['maps:Jane Doe', 'Jane&nbsp;Doe', true],
    ['maps:Jane Doe', 'Jane\u00a0Doe', true],
    ['maps:Jane  Doe', 'maps/search/Jane+Doe', true],
    ['maps:Jane Doe', 'Jane", "Doe', false],
    ['maps:a+b (c) [d] ^$|\\', 'by a+b (c) [d] ^$|\\ now', true],
  ] as const) {
    test(`${subject} is ${isNamed ? '' : 'not '}in ${text}`, () => {
      assert.equal(traces(subject).in(text), isNamed);
    });
  }

  test('have parts, of which one stands in all that names it', () => {
    for (const name of ['maps:Jané Doe', 'maps:陈大文', 'tiktok:@Baker'])
      assert.ok(
        traces(name)
          .parts.flat()
          .every((part) => part.length > 0 && part === part.toLowerCase()),
        name,
      );
    for (const name of ['Dan "The Man" Doe', "O'Neil", 'A & B', 'İnci'])
      for (const part of traces(`maps:${name}`).parts.flat())
        assert.ok(JSON.stringify(name).toLowerCase().includes(part), part);
    for (const text of ['jane%20m%C3%BCller', 'JANE  MU\u0308LLER'])
      for (const part of traces('maps:Jane Müller').parts.flat())
        assert.ok(text.toLowerCase().includes(part));
    assert.deepEqual(traces('maps:İn').parts, [['n']]);
  });
});
