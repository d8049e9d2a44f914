import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  all,
  attr,
  firstElement,
  line,
  ownTexts,
  prose,
  treeOf,
  verbatim,
} from '../../lib/read/html-tree.js';

const tree = (html: string) => treeOf(`<div id="x">${html}</div>`);

describe('a tree', () => {
  test('is queried by selectors: all in order, the first, none', () => {
    const page = treeOf('<ul><li class="a">1</li><li>2</li><li class="a">3</li></ul>');
    assert.deepEqual(all(page, 'li.a').map(line), ['1', '3']);
    assert.equal(line(firstElement(page, 'li:not(.a)')), '2');
    assert.equal(firstElement(page, 'p'), null);
    assert.equal(firstElement(null, 'p'), null);
  });

  test('returns attributes without escapes, and null for a missing one', () => {
    const link = firstElement(treeOf('<a href="/x?a=1&amp;b=2">x</a>'), 'a');
    assert.equal(attr(link, 'href'), '/x?a=1&b=2');
    assert.equal(attr(link, 'title'), null);
    assert.equal(attr(link, 'constructor'), null);
    assert.equal(attr(null, 'href'), null);
  });

  test('with 100,000 levels is platform_changed, not a crash', () => {
    assert.throws(() => treeOf('<div>'.repeat(100_000)), { code: 'platform_changed' });
    assert.equal(line(treeOf('<b><i>'.repeat(50))), null);
  });
});

describe('text of a tree', () => {
  test('on one line: folded, with blocks and breaks apart, without what never shows', () => {
    assert.equal(line(tree(' a\n  <b>b</b>c<br>d<p>e</p><p>f</p>')), 'a bc d e f');
    assert.equal(line(tree('a<script>x</script><style>y</style><template>z</template><code>w</code>')), 'a');
    assert.equal(line(tree('Fish &amp; chips&nbsp;&#x1F41F;')), 'Fish & chips 🐟');
    assert.equal(line(tree(' \n ')), null);
    assert.equal(line(null), null);
  });

  test('as prose: a line for each block and break, as a browser shows it', () => {
    assert.equal(prose(tree('a\n   b<br><br>c')), 'a b\n\nc');
    assert.equal(prose(tree('<p>a</p>\n<p>b <b>c</b></p>')), 'a\nb c');
    assert.equal(prose(tree('a<ul>\n<li>b</li>\n<li>c</li></ul>d')), 'a\nb\nc\nd');
    assert.equal(prose(tree('<p>a</p><p><br></p><p>b</p>')), 'a\n\nb');
    assert.equal(prose(tree('<p>a<br></p><p>b</p>')), 'a\nb');
    assert.equal(prose(tree('a<br><br><br><br>b')), 'a\n\nb');
    assert.equal(prose(tree('<div><div>a</div></div><button>Show more</button>')), 'a');
    assert.equal(prose(tree('<p> </p>')), null);
  });

  test('verbatim: its own line breaks and spaces, without those around', () => {
    assert.equal(verbatim(tree('\n   a\n\n  b  c &amp;\n d<br>e \n')), 'a\n\n  b  c &\n d\ne');
    assert.equal(verbatim(tree('a<a href="x">#b</a><button>more</button>')), 'a#b');
    assert.equal(verbatim(tree('\n')), null);
  });

  test('of the element itself, without elements inside', () => {
    const element = firstElement(treeOf('<h3> Place, <span>·</span>\n 5 followers </h3>'), 'h3');
    assert.deepEqual(ownTexts(element), ['Place,', '5 followers']);
    assert.deepEqual(ownTexts(null), []);
  });

  test('lone surrogates become replacement characters', () => {
    assert.equal(line(treeOf('a\ud800b')), 'a\ufffdb');
    assert.equal(verbatim(treeOf('a\ud800b')), 'a\ufffdb');
    assert.equal(prose(treeOf('a\ud800b')), 'a\ufffdb');
  });
});
