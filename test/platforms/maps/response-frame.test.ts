import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { batchAnswerOf, isData, rootOf } from '../../../lib/platforms/maps/response-frame.js';
import { pageOf } from '../../support/pages.js';

const batch = (...lines: readonly string[]) =>
  pageOf(`)]}'\n\n${lines.map((line) => `${line.length}\n${line}`).join('\n')}\n`);
const row = (call: string, payload: string | null, code: unknown = null) =>
  JSON.stringify([['wrb.fr', call, payload, null, null, code, 'generic']]);

describe('data bodies', () => {
  test('are the list after the guard, if any', () => {
    assert.deepEqual(rootOf(pageOf(`)]}'\n[1,[2]]`)), [1, [2]]);
    assert.deepEqual(rootOf(pageOf(`)]}'\n\n[1]`)), [1]);
    assert.deepEqual(rootOf(pageOf(`\n)]}'[1]`)), [1]);
    assert.deepEqual(rootOf(pageOf('[1,[2]]')), [1, [2]]);
  });

  test('are distinguished from HTML by their first character', () => {
    assert.ok(isData(pageOf(`)]}'\n[]`)));
    assert.ok(isData(pageOf(' \r\n\t[1]')));
    assert.ok(!isData(pageOf('<!DOCTYPE html>')));
    assert.ok(!isData(pageOf('')));
    assert.ok(!isData(pageOf('   ')));
  });

  test('that are cut off, or not a list, are platform_changed', () => {
    for (const body of [`)]}'\n[1,[2`, `)]}'\n{"a":1}`, `)]}'\n"x"`, `)]}'`, `)]}'\nnull`, 'x']) {
      assert.throws(() => rootOf(pageOf(body)), { code: 'platform_changed' }, body);
    }
  });

  test('that are an empty list are platform_blocked', () => {
    assert.throws(() => rootOf(pageOf(`)]}'\n[]`)), { code: 'platform_blocked' });
  });

  for (const [status, code] of [
    [500, 'platform_unavailable'],
    [503, 'platform_unavailable'],
    [400, 'platform_unavailable'],
    [429, 'platform_rate_limited'],
    [403, 'platform_blocked'],
    [404, 'platform_changed'],
    [null, 'platform_unavailable'],
  ] as const) {
    test(`that report an error with the status ${status} are ${code}`, () => {
      const body = `)]}'\n\n[["er",null,null,null,null,${status},null,null,null,3],["di",18]]`;
      assert.throws(() => rootOf(pageOf(body)), { code });
    });
  }

  test('that report 404 are place_not_found if the place itself was requested', () => {
    const body = `)]}'\n\n[["er",null,null,null,null,404,null,null,null,3],["di",18]]`;
    assert.throws(() => rootOf(pageOf(body), 'place_not_found'), { code: 'place_not_found' });
  });
});

describe('batch answers', () => {
  test('have a call’s answer as JSON in the row with its name', () => {
    const page = batch(row('other', '[1]'), row('hspqX', '[[2],"]\\n["]'), '[["di",12]]');
    assert.deepEqual(batchAnswerOf(page, 'hspqX'), [[2], ']\n[']);
  });

  test('may be one list without lengths', () => {
    assert.deepEqual(batchAnswerOf(pageOf(`)]}'\n\n${row('hspqX', '[2]')}`), 'hspqX'), [2]);
  });

  test('with a code instead of an answer are platform_unavailable', () => {
    for (const one of [row('hspqX', null, [3]), row('hspqX', '[3]'), row('hspqX', '[1]', [13])]) {
      assert.throws(() => batchAnswerOf(batch(one), 'hspqX'), { code: 'platform_unavailable' });
    }
    const report = '[["er",null,null,null,null,429,null,null,null,3]]';
    assert.throws(() => batchAnswerOf(batch(report), 'hspqX'), { code: 'platform_rate_limited' });
  });

  test('without the call, or with a broken row, are platform_changed', () => {
    for (const page of [
      batch(row('other', '[1]')),
      batch('[["wrb.fr"'),
      batch(row('hspqX', '{"a"')),
      pageOf(`)]}'`),
    ]) {
      assert.throws(() => batchAnswerOf(page, 'hspqX'), { code: 'platform_changed' });
    }
  });
});
