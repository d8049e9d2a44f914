import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changeText, itemTitle, oneLine, valueText } from '../../src/output/item-text.js';

test('an item is called by its own name, else by who wrote it and what they wrote', () => {
  const author = { id: null, handle: 'ada', name: 'Ada Kettle', url: null };
  for (const [item, title] of [
    [{ name: 'Pier  7', text: 'A pier.' }, 'Pier 7'],
    [{ title: 'Baker', description: 'Bakes bread.' }, 'Baker'],
    [{ username: 'mira', caption: 'Bread\nat dawn' }, 'mira: Bread at dawn'],
    [{ text: 'Cold soup.' }, 'Ada Kettle: Cold soup.'],
    [{ rating: 1 }, 'Ada Kettle'],
  ] as const) {
    assert.equal(itemTitle(item, author), title);
  }
  assert.equal(itemTitle({ text: 'Tea' }, { ...author, name: null }), '@ada: Tea');
  assert.equal(itemTitle({ rating: 1, name: ' ' }), null);
});

test('values and changes are on one line, cut if long', () => {
  assert.deepEqual([1_200.5, null, '', ['a'], 'a\r\nb'].map(valueText), [
    '1,200.5',
    'unknown',
    '“”',
    '["a"]',
    'a b',
  ]);
  assert.equal(
    changeText({ field: 'media_count', before: 1_000, after: undefined }),
    'media_count 1,000 → unknown',
  );
  assert.equal(oneLine('😀'.repeat(9), 5), `${'😀'.repeat(4)}…`);
});
