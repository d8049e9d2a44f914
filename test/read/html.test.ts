import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { attributesOf, cut, headTags } from '../../lib/read/html.js';
import { all, treeOf } from '../../lib/read/html-tree.js';
import { busyMs } from '../support/loop-watch.js';

const section = { keep: { posts: 'section[data-section=posts]' } } as const;

describe('cutting elements out of a page', () => {
  test('returns the outer HTML of every selected element, in order, by key', () => {
    const { a, b } = cut('<p id="x">1</p><div class="k">2</div><p id="x">3</p>', {
      keep: { a: 'p[id=x]', b: 'div.k' },
    });
    assert.deepEqual(a, ['<p id="x">1</p>', '<p id="x">3</p>']);
    assert.deepEqual(b, ['<div class="k">2</div>']);
  });

  test('ends an element at its end tag, after nested elements of its name', () => {
    const inner = '<section><section data-section="posts">deep</section></section>';
    const html = `<section data-section="posts">${inner}end</section><section>after</section>`;
    assert.deepEqual(cut(html, section).posts, [`<section data-section="posts">${inner}end</section>`]);
  });

  for (const tag of [
    '<section class="a b" data-section="posts">',
    "<section data-section='posts' class='a'>",
    '<section data-section=posts class=a>',
    '<section\n  data-section = "posts"\n>',
    '<SECTION DATA-SECTION="posts">',
    '<section title="a > b" data-section="posts">',
    '<section title="data-section" data-section="posts" hidden>',
    '<section data-section="posts" data-section="other">',
  ]) {
    test(`finds ${JSON.stringify(tag)}`, () => {
      const element = `${tag}text</section>`;
      assert.deepEqual(cut(`<main>${element}</main>`, section).posts, [element]);
    });
  }

  for (const other of [
    '<section data-section="postscript">x</section>',
    '<section data-section="other" data-section="posts">x</section>',
    '<section title="data-section=posts">x</section>',
    '<section title=\'<section data-section="posts">\'>x</section>',
    '<div data-section="posts">x</div>',
    '<!-- <section data-section="posts">x</section> -->',
    '<!----><!-- --- > <section data-section="posts"> -- -->',
    '<script>"<section data-section=\\"posts\\">" + \'<section data-section="posts">\'</script>',
    '<style><section data-section="posts"></style>',
    '<textarea><section data-section="posts"></textarea>',
    '&lt;section data-section="posts"&gt;x&lt;/section&gt;',
    'a < section data-section="posts">',
  ]) {
    test(`does not find ${JSON.stringify(other)}`, () => {
      assert.deepEqual(cut(`<main>${other}</main>`, section).posts, []);
    });
  }

  test('matches classes by name, in any order', () => {
    const mark = { keep: { tab: 'div.tab__panel.posts' } } as const;
    const count = (html: string) => cut(html, mark).tab.length;
    assert.equal(count('<div class="posts\n tab__panel x"></div>'), 1);
    assert.equal(count('<div class="tab__panel reactions"></div>'), 0);
    assert.equal(count('<div class="tab__panel posts--old"></div>'), 0);
    assert.equal(count('<div class="posts"></div>'), 0);
  });

  test('omits dropped elements, inside and outside of selected ones', () => {
    const table = { keep: { top: 'section.top' }, drop: ['div.modal', 'svg'] } as const;
    const html =
      '<div class="modal"><section class="top">no</section></div><section class="top">a<div class="modal"><div>x</div><section>y</section></div>b<svg><path d="M1"/></svg>c</section>';
    assert.deepEqual(cut(html, table).top, ['<section class="top">abc</section>']);
  });

  test('finds nothing in a template, which no browser shows', () => {
    const html = '<li class="a">1</li><template><li class="a">2</li></template><li class="a">3</li>';
    assert.deepEqual(cut(html, { keep: { item: 'li.a' } }).item, [
      '<li class="a">1</li>',
      '<li class="a">3</li>',
    ]);
  });

  test('keeps an element without content', () => {
    assert.deepEqual(cut('<p><img class="a" src="x">text</p>', { keep: { img: 'img.a' } }).img, [
      '<img class="a" src="x">',
    ]);
  });

  test('refuses a page that is cut off inside a selected or dropped element', () => {
    const table = { keep: { top: 'section.top' }, drop: ['div.modal'] } as const;
    for (const html of [
      '<section class="top"><p>half',
      '<section class="top"><p>half</p><div class="modal">x</div>',
      '<section class="top">a</section><div class="modal">',
      '<section class="top">a<!-- never ends </section>',
      '<section class="top">a<p title="never ends </section>',
    ]) {
      assert.throws(() => cut(html, table), { code: 'platform_changed' }, html);
    }
  });

  test('returns the elements before a cut-off', () => {
    assert.equal(cut('<section data-section="posts">a</section><p>half', section).posts.length, 1);
  });

  test('throws a TypeError for an unsupported selector', () => {
    assert.throws(() => cut('', { keep: { x: 'section > div' } }), TypeError);
  });

  test('takes linear time for hostile pages', () => {
    const startedAt = busyMs();
    const many = 400_000;
    for (const html of [
      '<'.repeat(many),
      '<section data-section="posts">'.repeat(many / 20),
      '</section>'.repeat(many / 5),
      '<!--'.repeat(many / 4),
      '<section data-section="posts" '.repeat(many / 20),
      `<section ${'a="'.repeat(many / 4)}`,
      `<section ${'='.repeat(many)}>`,
      `<script>${'</script'.repeat(many / 8)}`,
      'data-section="posts"'.repeat(many / 20),
    ]) {
      try {
        cut(html, section);
      } catch (error) {
        assert.equal((error as { code?: string }).code, 'platform_changed');
      }
    }
    const ms = busyMs() - startedAt;
    assert.ok(ms < 5000, `${ms} ms`);
  });

  test('returns what a tree of the full page returns, for any nesting of elements', () => {
    const text = fc.constantFrom('', 'a', 'x < y', '<!-- <section data-section="posts"> -->', '<br>');
    const { node } = fc.letrec<{ node: string }>((tie) => ({
      node: fc.oneof(
        { depthSize: 'small' },
        text,
        fc
          .tuple(
            fc.constantFrom(
              '<section data-section="posts">',
              '<section class="q">',
              "<section title='>' data-section='posts'>",
            ),
            fc.array(tie('node'), { maxLength: 4 }),
          )
          .map(([tag, inside]) => `${tag}${inside.join('')}</section>`),
        fc.array(tie('node'), { maxLength: 4 }).map((inside) => `<div>${inside.join('')}</div>`),
      ),
    }));
    const outermost = (html: string) =>
      all(treeOf(html), 'section[data-section=posts]').filter((element) => {
        for (let up = element.parent; up !== null; up = up.parent) {
          if ('attribs' in up && up.attribs['data-section'] === 'posts') return false;
        }
        return true;
      });
    fc.assert(
      fc.property(fc.array(node, { maxLength: 5 }), (parts) => {
        const html = parts.join('');
        assert.equal(cut(html, section).posts.length, outermost(html).length);
        const cutOut = cut(html, section).posts.flatMap((part) => all(treeOf(part), '*'));
        const inWhole = outermost(html).flatMap((element) => [element, ...all(element, '*')]);
        assert.deepEqual(
          cutOut.map(({ name, attribs }) => [name, attribs]),
          inWhole.map(({ name, attribs }) => [name, attribs]),
        );
      }),
      { seed: 5, numRuns: 200 },
    );
  });
});

describe('the head of a page', () => {
  test('attributes of its tags, in any order and any quotes; none from the body, scripts or comments', () => {
    const html = `<html><head><meta name="a" content="1"><META content='2' name=b><!-- <meta name="c"> -->
      <script>document.write('<meta name="d">')</script><link rel="canonical" href="/x"></head>
      <body><meta name="e"></body></html>`;
    assert.deepEqual(
      headTags(html, 'meta').map((tag) => [tag.get('name'), tag.get('content')]),
      [
        ['a', '1'],
        ['b', '2'],
      ],
    );
    assert.equal(headTags(html, 'link')[0]?.get('href'), '/x');
  });

  test('ends at the body if it was not closed', () => {
    assert.equal(headTags('<meta name="a"><body><meta name="b">', 'meta').length, 1);
  });

  test('attributes: the first of a name counts, one without a value is empty', () => {
    const attributes = attributesOf('<meta HIDDEN a=1 a="2" data-x=\'y z\' name=__proto__/>');
    assert.deepEqual(
      [...attributes],
      [
        ['hidden', ''],
        ['a', '1'],
        ['data-x', 'y z'],
        ['name', '__proto__/'],
      ],
    );
  });
});
