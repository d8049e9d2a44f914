import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { fingerprint, type ListPosition, openCursor, sealCursor } from '../../lib/call/cursor.js';
import { ExtractError } from '../../lib/errors/extract-error.js';

const secret = Buffer.alloc(32, 7);
const now = Date.UTC(2026, 10, 5, 12);
const day = 24 * 60 * 60 * 1000;
const place: ListPosition = { position: { offset: 20, token: 'été' }, seen: ['a', 'b'].map(fingerprint) };
const refusal = (cursor: string, binding = 'here', at = now, key: Uint8Array = secret) => {
  try {
    openCursor(key, binding, cursor, at);
  } catch (error) {
    assert.ok(error instanceof ExtractError, String(error));
    return error.code;
  }
  return 'ok';
};

describe('cursor', () => {
  test('opens as it was sealed', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.array(fc.string(), { maxLength: 200 }), (position, ids) => {
        const sealed: ListPosition = {
          position: position as ListPosition['position'],
          seen: ids.map(fingerprint),
        };
        const opened = openCursor(secret, 'here', sealCursor(secret, 'here', sealed, now), now);
        assert.deepEqual(opened, JSON.parse(JSON.stringify(sealed)));
      }),
    );
  });

  test('is bound to its call', () => {
    const cursor = sealCursor(secret, 'here', place, now);
    assert.equal(refusal(cursor), 'ok');
    assert.equal(refusal(cursor, 'elsewhere'), 'invalid_cursor');
    assert.equal(refusal(cursor, 'here', now, Buffer.alloc(32, 8)), 'invalid_cursor');
  });

  test('is refused when any character of it is changed, cut or added', () => {
    const cursor = sealCursor(secret, 'here', place, now);
    for (let at = 0; at < cursor.length; at += 1) {
      const other = cursor[at] === 'A' ? 'B' : 'A';
      assert.equal(refusal(cursor.slice(0, at) + other + cursor.slice(at + 1)), 'invalid_cursor', `at ${at}`);
      assert.equal(refusal(cursor.slice(0, at)), 'invalid_cursor', `cut at ${at}`);
    }
    for (const odd of [`${cursor}A`, `${cursor}=`, ` ${cursor}`, '', 'x', '🙂', '../..']) {
      assert.equal(refusal(odd), 'invalid_cursor', odd);
    }
  });

  test('lives for 24 hours', () => {
    const cursor = sealCursor(secret, 'here', place, now);
    assert.equal(refusal(cursor, 'here', now + day), 'ok');
    assert.equal(refusal(cursor, 'here', now + day + 2000), 'cursor_expired');
  });

  test('remembers the latest 200 items and fits a URL', () => {
    const prints = Array.from({ length: 500 }, (_, index) => fingerprint(String(index)));
    const cursor = sealCursor(secret, 'here', { position: 1, seen: prints }, now);
    assert.deepEqual(openCursor(secret, 'here', cursor, now).seen, prints.slice(-200));
    assert.ok(cursor.length < 2500, String(cursor.length));
  });
});
