import assert from 'node:assert/strict';
import { test } from 'node:test';
import { page } from '../../lib/web/page.js';
import { RecentPages } from '../../lib/web/recent-pages.js';

const answer = (bytes: number) => page('https://pages.example/list', 200, {}, new Uint8Array(bytes));
const request = (name: string) => ({ url: `https://pages.example/${name}` });

test('an answer is stored for ten minutes, for the same request only', () => {
  let now = 1;
  const pages = new RecentPages({ now: () => now });
  const one = answer(10);
  pages.keep(request('a'), one);
  assert.equal(pages.take(request('a')), one);
  assert.equal(pages.take(request('a')), one);
  assert.equal(pages.take(request('b')), null);
  assert.equal(pages.take({ ...request('a'), method: 'POST', body: 'x' }), null);
  now += 10 * 60_000 + 1;
  assert.equal(pages.take(request('a')), null);
});

test('the least recently used are removed first above 16 MB', () => {
  const pages = new RecentPages({ now: () => 0 });
  for (const name of ['a', 'b', 'c', 'd']) pages.keep(request(name), answer(4 * 1024 * 1024));
  pages.take(request('a'));
  pages.keep(request('e'), answer(1));
  const remaining = ['a', 'b', 'c', 'd', 'e'].filter((name) => pages.take(request(name)) !== null);
  assert.deepEqual(remaining, ['a', 'c', 'd', 'e']);
});
