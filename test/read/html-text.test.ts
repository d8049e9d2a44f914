import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { resolveReferences, textOfHtml } from '../../lib/read/html-text.js';
import { busyMs } from '../support/loop-watch.js';

describe('text of HTML', () => {
  for (const [html, text] of [
    ['a<br>b<BR/>c<br />d', 'a\nb\nc\nd'],
    ['&amp;lt; &lt;b&gt; &quot;q&quot; &#39;a&#39; &#x1F600; &nbsp;x', '&lt; <b> "q" \'a\' 😀 \u00a0x'],
    ['<b>bold</b> <a href="x&y">link</a>', 'bold link'],
    ['1 < 2 and 3 > 2', '1 < 2 and 3 > 2'],
    ['  trimmed <br> ', 'trimmed'],
    ['a & b &unknown; &', 'a & b &unknown; &'],
  ] as const) {
    test(`of ${JSON.stringify(html)} is ${JSON.stringify(text)}`, () => assert.equal(textOfHtml(html), text));
  }

  test('is null without text and for other values', () => {
    for (const none of ['', '<br>', '<p></p>', null, 5, ['a']]) assert.equal(textOfHtml(none), null);
  });

  test('has replacement characters for lone surrogates', () => {
    assert.equal(textOfHtml('a\ud800b&#xD800;'), 'a\ufffdb\ufffd');
  });

  test('takes less than a second for a hostile text', () => {
    for (const hostile of [
      '<'.repeat(200_000),
      '<a '.repeat(100_000),
      '&'.repeat(200_000),
      '<br'.repeat(100_000),
    ]) {
      const startedAt = busyMs();
      textOfHtml(hostile);
      assert.ok(busyMs() - startedAt < 1_000);
    }
  });
});

test('attribute values are resolved without anything else', () => {
  assert.equal(resolveReferences('https://x.example/?a=1&amp;b=<br>'), 'https://x.example/?a=1&b=<br>');
});
