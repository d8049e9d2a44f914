import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { seededRandom } from '../../scripts/capture/anonymise.js';
import { Inventor } from '../../scripts/capture/inventor.js';
import { itemsBelow, renderSegments, segmentsOf } from '../../scripts/capture/json-text.js';
import { contentOf, leaksOf, shapeOf } from '../../scripts/capture/leaks.js';
import { linkedIdsOf } from '../../scripts/capture/linked-ids.js';

const vocabulary = {
  words: new Set(['followers', 'https', 'www', 'com', 'may']),
  markup: new Set(['followers', 'https', 'www', 'com', 'may', 'title']),
  numbers: new Set(['10221']),
};
const inventor = (...texts: string[]) =>
  new Inventor({
    vocabulary,
    linked: linkedIdsOf('photosocial', texts, seededRandom(2)),
    avoid: contentOf(texts),
    subjects: new Set(['may']),
    random: seededRandom(1),
  });

describe('invented content', () => {
  test('is the same for the same original, in its case', () => {
    const one = inventor();
    const [first = '', second = '', third = ''] = one.text('Quarrington quarrington QUARRINGTON').split(' ');
    assert.equal(first.toLowerCase(), second);
    assert.equal(first.toUpperCase(), third);
    assert.match(first, /^[A-Z][a-z]{10}$/);
    assert.equal(one.text('Quarrington'), first);
  });

  test('keeps the vocabulary, but not where the call is about it', () => {
    assert.match(inventor().text('12,345 followers of May'), /^\d\d,\d{3} followers \w+ \w+$/);
    assert.ok(!/\bmay\b/i.test(inventor().text('12,345 followers of May')));
    assert.equal(inventor().text('10221'), '10221');
  });

  test('keeps the words around a quotation, and nothing of what is quoted', () => {
    const words = Array.from({ length: 20 }, () => 'followers').join(' ');
    const text = inventor().text(`12K followers - quarrington: &quot;${words}&quot;. `);
    assert.match(text, /^\d\dK followers - \w+: &quot;[^&]+&quot;\. $/);
    assert.doesNotMatch(text.split('&quot;')[1] ?? '', /followers/);
  });

  test('replaces letters that are written as references', () => {
    const text = inventor().text('&#xc6b8;&#xc0b0; &#x2728;');
    assert.match(text, /^[가-하]{2} &#x2728;$/);
    assert.doesNotMatch(text, /울|산/);
  });

  test('replaces every kind of number and token', () => {
    const one = inventor();
    for (const original of [
      'N1C 4AP',
      '+44 20 79 46 09 58',
      '25 101555',
      '45M',
      'AQHTuMFy859wDGt0lU6L4cV8',
      '38.0301',
      '7571863205253778710',
      'DdG4RIxIPyf',
    ])
      assert.notEqual(one.text(original), original, original);
    assert.equal(one.text('DdG4RIxIPyf'), one.text('DdG4RIxIPyf'));
    assert.match(one.number('7571863205253778710'), /^7571\d{15}$/);
    assert.match(one.number('-122.4194155'), /^-1[0-6]\d\.\d{7}$/);
    assert.equal(one.number('4.1'), '4.1');
    assert.equal(one.text('2024'), '2023');
  });

  test('keeps escapes, entities and percent signs', () => {
    const one = inventor();
    assert.match(one.text('Zoë &amp; Marmalade&#39;s'), /^[a-zéèåöü]{3} &amp; \w{9}&#39;s$/i);
    assert.match(one.text('https%3A%2F%2Fwww.pottlesby.com%2F'), /^https%3A%2F%2Fwww\.\w{9}\.com%2F$/);
    assert.equal(decodeURIComponent(one.text('%C3%85sa')), one.text('Åsa'));
  });

  test('keeps a shortcode and its number one', () => {
    const one = inventor('{"code":"DdG4RIxIPyf"}');
    const code = one.text('DdG4RIxIPyf');
    assert.notEqual(code, 'DdG4RIxIPyf');
    assert.equal(code.length, 11);
  });

  test('keeps scripts', () => {
    assert.match(
      inventor().text('Κυπριακόν Москва 東京 서울'),
      /^\p{Script=Greek}{9} \p{Script=Cyrillic}{6} \p{Script=Han}{2} \p{Script=Hangul}{2}$/u,
    );
  });
});

describe('a JSON text', () => {
  const text = `)]}'\n9\n[ "a\\/b", "\\u00e9\\u003cb\\u003e", {"k" : -1.50, "inner":"{\\"x\\":[1,2]}"} ]\n`;

  test('is written as it was read', () => {
    assert.equal(renderSegments(segmentsOf(text), null), text);
  });

  test('has its strings changed in their own manner of escapes', () => {
    const change = {
      text: (of: string) => of.toUpperCase(),
      number: (raw: string) => raw,
      key: (of: string) => of,
    };
    assert.equal(
      renderSegments(segmentsOf(text), change),
      `)]}'\n9\n[ "A\\/B", "\\u00c9\\u003cB\\u003e", {"k" : -1.50, "inner":"{\\"x\\":[1,2]}"} ]\n`,
    );
  });

  test('loses members, and keeps the place of elements', () => {
    const segments = segmentsOf('{"a":1,"b":[1,2,3],"c":"[4,5]"}');
    const [a, b] = itemsBelow(segments);
    if (a) a.cut = true;
    for (const item of itemsBelow(b ? [b] : []).slice(0, 1)) item.cut = true;
    assert.equal(renderSegments(segments, null), '{"b":[null,2,3],"c":"[4,5]"}');
  });

  test('that is cut off or no JSON stays a text', () => {
    for (const broken of ['{"a":', '[1,,2]', 'function () { return [1', '"[not json"'])
      assert.equal(renderSegments(segmentsOf(broken), null), broken);
  });
});

describe('the check for what remains', () => {
  const original = contentOf(['Marmalade in P\\u006fttlesby, &#77;useum, 4821100, AQHTu85']);

  test('finds words, numbers and tokens, however they are escaped', () => {
    const left = (text: string) => leaksOf(original, [text], vocabulary);
    assert.deepEqual(left('pottlesby'), ['pottlesby']);
    assert.deepEqual(left('%50ottlesby'), ['Pottlesby']);
    assert.deepEqual(left('MUSEUM 4821100'), ['MUSEUM', '4821100']);
    assert.deepEqual(left('aqhtu85'), ['aqhtu', 'aqhtu85']);
    assert.deepEqual(left('followers of something new, 12'), []);
  });

  test('the form of an answer is types, nulls and lengths', () => {
    assert.deepEqual(shapeOf({ a: 'x', b: null, c: [1, true] }), {
      a: 'string',
      b: null,
      c: ['number', true],
    });
  });
});
