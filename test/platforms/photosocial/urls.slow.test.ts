import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { idOfShortcode } from '../../../lib/platforms/photosocial/shortcode.js';
import {
  isTagAt,
  normalShortcode,
  normalTag,
  normalUsername,
  oembedUrl,
  permalink,
  postIdentity,
  tagUrl,
} from '../../../lib/platforms/photosocial/urls.js';

const code = 'DdG4RIxIPyf';

describe('addresses of profiles', () => {
  test('have a username in lower case without @', () => {
    assert.equal(normalUsername('@Har.Bor_1'), 'har.bor_1');
    const faulty = ['', 'a b', 'harbor.lantern/', 'ñ', 'explore', 'Reels', 'x'.repeat(31), '../p'];
    for (const name of [...faulty, '.', '..', '@...', 'a\u0000', 'a\u0007b', 'a\u202eb']) {
      assert.throws(() => normalUsername(name), { code: 'invalid_parameter' }, name);
    }
  });
});

test('an invisible character in a username is named in the error', () => {
  assert.throws(() => normalUsername('\u200eharbor'), {
    message: /^"\\u200eharbor" contains the invisible character U\+200E/,
  });
});

describe('addresses of posts', () => {
  test('keep the case of a shortcode', () => {
    assert.equal(normalShortcode(code), code);
    assert.deepEqual(postIdentity({ shortcode: code }), { shortcode: code });
    assert.deepEqual(postIdentity({ shortcode: idOfShortcode(code) }), { shortcode: code });
    assert.deepEqual(postIdentity({ shortcode: `${idOfShortcode(code)}_77` }), { shortcode: code });
    for (const text of ['', 'a/b', 'a b', 'é', 'x'.repeat(65)]) {
      assert.throws(() => normalShortcode(text), { code: 'invalid_parameter' }, text);
    }
  });

  test('differ for reels', () => {
    assert.equal(permalink(code, 'clips'), `https://www.instagram.com/reel/${code}/`);
    assert.equal(permalink(code, 'feed'), `https://www.instagram.com/p/${code}/`);
    assert.equal(permalink(code, null), `https://www.instagram.com/p/${code}/`);
  });

  test('are a parameter of the oEmbed request', () => {
    const page = `https://www.instagram.com/p/${code}/`;
    assert.equal(new URL(oembedUrl(page)).searchParams.get('url'), page);
  });
});

describe('hashtags', () => {
  test('are in lower case, without # and normalised', () => {
    assert.equal(normalTag('#TravelGram'), 'travelgram');
    assert.equal(normalTag('cafe\u0301'), 'café');
    assert.equal(tagUrl('灯台'), 'https://www.instagram.com/popular/%E7%81%AF%E5%8F%B0/');
  });

  test('may have several words, which the URL joins', () => {
    assert.equal(normalTag('  Two   Words '), 'two words');
    assert.equal(tagUrl('two words'), 'https://www.instagram.com/popular/two-words/');
    assert.ok(isTagAt('https://www.instagram.com/popular/two-words/', 'two words'));
  });

  test('are refused as URLs or paths', () => {
    for (const tag of ['', '#', ' ', 'a#b', 'a/b', '../x', 'a?b', '%41', 'x'.repeat(151)]) {
      assert.throws(() => normalTag(tag), { code: 'invalid_parameter' }, tag);
    }
  });
});
