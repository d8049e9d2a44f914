import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { cacheKey, parseCallRequest } from '../../lib/call/call-request.js';
import { bindingOf, firstPosition } from '../../lib/call/cursor.js';
import { endpoints } from '../../lib/endpoints.js';
import { ExtractError } from '../../lib/errors/extract-error.js';
import { casesOf } from '../../lib/samples.js';

for (const endpoint of endpoints) {
  describe(`a request to ${endpoint.path}`, async () => {
    const params = (await casesOf(endpoint))[0]?.params ?? {};
    const texts = Object.fromEntries(Object.entries(params).map(([name, value]) => [name, String(value)]));

    test('is the same from texts or values, in any order of its parameters', () => {
      const one = parseCallRequest(endpoint, params);
      assert.deepEqual(parseCallRequest(endpoint, texts, true), one);
      assert.deepEqual(parseCallRequest(endpoint, Object.fromEntries(Object.entries(params).reverse())), one);
      assert.equal(one.firstKey, cacheKey(endpoint, one.identity, one.limit, firstPosition));
    });

    test('has the same cache key with fresh, and another as a demo', () => {
      const plain = parseCallRequest(endpoint, params);
      const fresh = parseCallRequest(endpoint, { ...params, fresh: true });
      assert.equal(fresh.firstKey, plain.firstKey);
      assert.equal(fresh.fresh, true);
      const demo = parseCallRequest(endpoint, { ...params, demo: true });
      assert.notEqual(bindingOf({ request: demo }), bindingOf({ request: plain }));
    });

    test('has another key with another limit or position', () => {
      const { identity, limit, firstKey } = parseCallRequest(endpoint, params);
      const keys = [
        firstKey,
        cacheKey(endpoint, identity, limit + 1, firstPosition),
        cacheKey(endpoint, identity, limit, { position: 1, seen: [] }),
        cacheKey(endpoint, identity, limit, { position: 1, seen: ['a'] }),
      ];
      assert.equal(new Set(keys).size, keys.length);
    });
  });
}

test('requests to different endpoints have different cache keys', async () => {
  const keys = await Promise.all(
    endpoints.map(
      async (endpoint) => parseCallRequest(endpoint, (await casesOf(endpoint))[0]?.params ?? {}).firstKey,
    ),
  );
  assert.equal(new Set(keys).size, endpoints.length);
});

describe('a URL instead of words', () => {
  const requestOf = (path: string, text: string) => {
    const endpoint = endpoints.find((one) => one.path === path) ?? assert.fail(path);
    return parseCallRequest(endpoint, { [Object.keys(endpoint.params)[0] as string]: text });
  };

  test('means the words of its search', () => {
    for (const [path, url, words] of [
      ['maps/places', 'https://www.google.com/maps/search/coffee+vienna', 'coffee vienna'],
      ['pronetwork/jobs', 'https://www.linkedin.com/jobs/search/?keywords=rust', 'rust'],
      ['photosocial/hashtag', 'https://www.instagram.com/explore/tags/coffee/', 'coffee'],
      ['shortvideo/search', 'https://www.tiktok.com/search?q=cold%20brew', 'cold brew'],
      ['shortvideo/search', 'www.tiktok.com/tag/coffee', 'coffee'],
    ] as const)
      assert.equal(requestOf(path, url).firstKey, requestOf(path, words).firstKey, url);
  });

  test('is refused if another endpoint, or none, reads its page', () => {
    for (const [path, url, code, message] of [
      [
        'maps/places',
        'https://maps.app.goo.gl/abcd',
        'invalid_parameter',
        /for maps\/place .*query takes words/,
      ],
      ['shortvideo/search', 'https://www.tiktok.com/@nasa', 'invalid_parameter', /for shortvideo\/profile /],
      ['photosocial/hashtag', 'https://www.instagram.com/nike/', 'invalid_parameter', /tag takes words/],
      ['pronetwork/jobs', 'https://www.linkedin.com/pulse/title', 'invalid_url', /This is an article/],
    ] as const)
      assert.throws(
        () => requestOf(path, url),
        (error) => error instanceof ExtractError && error.code === code && message.test(error.message),
        url,
      );
  });

  test('is words if it is of another site, or one of several words', () => {
    for (const text of ['https://cafe.example/menu', 'AC/DC', 'tiktok.com', 'reviews of tiktok.com/@nasa'])
      assert.equal(requestOf('shortvideo/search', text).params.query, text);
  });
});

test('a call without parameters is refused', () => {
  for (const endpoint of endpoints) {
    assert.throws(
      () => parseCallRequest(endpoint, {}),
      (error) => error instanceof ExtractError && error.type === 'invalid_request',
    );
  }
});
