import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { ExtractError } from '../../../lib/errors/extract-error.js';
import {
  accountOf,
  isVideoId,
  normalUsername,
  profileUrl,
  videoIdOfUrl,
  videoOf,
  videoUrl,
} from '../../../lib/platforms/shortvideo/urls.js';

const id = '7571863205253778710';
const fails = (code: string) => (error: unknown) => error instanceof ExtractError && error.code === code;

describe('an account', () => {
  test('is not an internal ID, which is refused with advice', () => {
    const id = 'MS4wLjABAAAAv7iSuuXDJGDvJkmH_vz1qkDZYo1apxgzaxdBSeIuPiM';
    const says =
      /MS4wLjABAAAA… is an internal ID of TikTok, not a username\. Open the profile, and use the name/;
    for (const [text, code] of [
      [{ username: id }, 'invalid_parameter'],
      [{ username: `@${id}` }, 'invalid_parameter'],
      [{ url: `https://www.tiktok.com/@${id}` }, 'invalid_url'],
      [{ url: `https://www.tiktok.com/@${id}/` }, 'invalid_url'],
    ] as const) {
      assert.throws(
        () => accountOf(text),
        (error) => fails(code)(error) && says.test((error as Error).message),
      );
    }
    assert.deepEqual(accountOf({ username: 'ms4wljab' }), { username: 'ms4wljab' });
  });

  test('is refused with the form of a username, and with the parameter of URLs', () => {
    assert.throws(
      () => accountOf({ username: 'bad name' }),
      /"bad name" is not a username\. Give letters, digits, _ and \. only\./,
    );
    assert.throws(() => accountOf({ username: 'tiktok.com/@mira' }), /A URL goes into url\./);
  });

  test('is refused with an invisible character, which is named', () => {
    assert.throws(() => accountOf({ username: 'mira\u200e' }), /the invisible character U\+200E/);
  });

  test('is a username in lower case without @', () => {
    assert.equal(normalUsername('@Mira.Kettle'), 'mira.kettle');
    assert.deepEqual(accountOf({ username: 'MIRA' }), { username: 'mira' });
  });

  test('cannot change the path of its URL', () => {
    assert.equal(profileUrl('çay'), 'https://www.tiktok.com/@%C3%A7ay');
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        let handle: string;
        try {
          handle = normalUsername(text);
        } catch {
          return;
        }
        const url = new URL(profileUrl(handle.toWellFormed()));
        assert.equal(url.origin, 'https://www.tiktok.com');
        assert.equal(url.pathname.indexOf('/', 1), -1);
        assert.equal(url.search + url.hash, '');
      }),
      { seed: 11, numRuns: 500 },
    );
  });
});

describe('a video', () => {
  test('is an id of 15 to 22 digits that does not begin with 0', () => {
    assert.deepEqual(videoOf({ id }), { id, link: null });
    for (const good of ['1'.repeat(15), '9'.repeat(22), id]) assert.ok(isVideoId(good));
    for (const bad of [
      '',
      '1'.repeat(14),
      '1'.repeat(23),
      `0${id}`,
      ` ${id}`,
      `${id}\n`,
      '７５７１８６３２０５２５３７７８７１０',
      'awesome',
    ]) {
      assert.ok(!isVideoId(bad), bad);
      assert.throws(() => videoOf({ id: bad }), fails('invalid_parameter'));
    }
  });

  test('has a URL with any username', () => {
    assert.equal(videoUrl(id), `https://www.tiktok.com/@_/video/${id}`);
    assert.equal(videoIdOfUrl(videoUrl(id)), id);
  });

  test('is an ID, a short link on the platform’s hosts or invalid_url for any text', () => {
    const near = fc.constantFrom(
      'https://',
      'www.tiktok.com',
      'vm.tiktok.com',
      '/@a/video/',
      id,
      '/t/',
      '..',
      '%2f',
      '@',
      '?',
      '#',
      '\\',
      '.html',
      ':',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(near, fc.string()), { maxLength: 6 }), (parts) => {
        try {
          const target = videoOf({ url: parts.join('') });
          if (target.id !== null) assert.ok(isVideoId(target.id));
          else
            assert.match(target.link, /^https:\/\/(v[mt]\.tiktok\.com|www\.tiktok\.com\/t)\/[\w-]{4,32}\/$/);
        } catch (error) {
          assert.ok(fails('invalid_url')(error), String(error));
        }
      }),
      { seed: 12, numRuns: 1000 },
    );
  });
});
