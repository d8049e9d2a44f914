import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KeptPages } from '../../lib/web/kept-pages.js';
import { page } from '../../lib/web/page.js';

const answer = (bytes: number) => page('https://pages.example/list', 200, {}, new Uint8Array(bytes));
const request = (name: string) => ({ url: `https://pages.example/${name}` });

test('an answer is kept for some minutes, for the same request alone', () => {
  let now = 1;
  const kept = new KeptPages({ now: () => now });
  const one = answer(10);
  kept.keep(request('a'), one);
  assert.equal(kept.take(request('a')), one);
  assert.equal(kept.take(request('a')), one);
  assert.equal(kept.take(request('b')), null);
  assert.equal(kept.take({ ...request('a'), method: 'POST', body: 'x' }), null);
  now += 10 * 60_000 + 1;
  assert.equal(kept.take(request('a')), null);
});

test('those that were used longest ago go first where they grow beyond 16 MB', () => {
  const kept = new KeptPages({ now: () => 0 });
  for (const name of ['a', 'b', 'c', 'd']) kept.keep(request(name), answer(4 * 1024 * 1024));
  kept.take(request('a'));
  kept.keep(request('e'), answer(1));
  const left = ['a', 'b', 'c', 'd', 'e'].filter((name) => kept.take(request(name)) !== null);
  assert.deepEqual(left, ['a', 'c', 'd', 'e']);
});
