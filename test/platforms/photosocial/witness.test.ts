import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { firstPosition } from '../../../lib/call/cursor.js';
import { fetchAnswer } from '../../../lib/call/fetch-answer.js';
import type { Endpoint } from '../../../lib/endpoint.js';
import { endpoints } from '../../../lib/endpoints.js';
import { parseParams } from '../../../lib/params/parse.js';
import { type Route, routeSource } from '../../../lib/web/routes.js';
import { stoppedClock } from '../../support/cases.js';

const shell = '<!DOCTYPE html><html><head><title>Instagram</title></head><body></body></html>';
const json = { 'content-type': 'application/json; charset=utf-8' };
const embed = '/embed/captioned/$';
const oembed = '/api/v1/oembed/';
const missingRoute: Route = {
  pattern: embed,
  body: '<script>{"contextJSON":null}</script><p class="EmbedBrokenMedia"></p>',
};
const noMedia: Route = {
  pattern: oembed,
  status: 404,
  headers: json,
  body: '{"message":"No Media Match","status":"fail"}',
};
const rest: Route = { pattern: '.', body: shell };

function read(path: string, params: Record<string, unknown>, ...routes: Route[]) {
  const endpoint = endpoints.find((one) => one.path === path) as Endpoint;
  const identity = endpoint.identify(parseParams(endpoint, params));
  const request = { endpoint, identity, position: firstPosition, limit: 12 };
  return fetchAnswer(request, routeSource('.', routes), stoppedClock);
}

const post = (...routes: Route[]) => read('photosocial/post', { shortcode: 'Dd_qEMMAIYm' }, ...routes, rest);

describe('a post is missing', () => {
  test('where its embed page and its oEmbed answer say so', async () => {
    await assert.rejects(post(missingRoute, noMedia), { code: 'post_not_found' });
    await assert.rejects(post(missingRoute, { ...noMedia, status: 400 }), { code: 'post_not_found' });
  });

  test('not where one of them says so alone', async () => {
    await assert.rejects(post(noMedia), { code: 'platform_blocked' });
    await assert.rejects(post(missingRoute), { code: 'platform_blocked' });
  });

  test('not where the address of embed pages, or of oEmbed, is gone', async () => {
    const missingPage = { status: 404, body: '<!DOCTYPE html><title>Page not found</title>' };
    await assert.rejects(post({ pattern: embed, ...missingPage }, noMedia), { code: 'platform_blocked' });
    await assert.rejects(post(missingRoute, { pattern: oembed, ...missingPage }), {
      code: 'platform_blocked',
    });
  });
});

describe('an error with null in place of a page', () => {
  for (const [path, params, code] of [
    ['photosocial/profile', { username: 'harbor.lantern' }, 'profile_not_found'],
    ['photosocial/posts', { username: 'harbor.lantern' }, 'profile_not_found'],
    ['photosocial/post', { shortcode: 'Dd_qEMMAIYm' }, 'post_not_found'],
    ['photosocial/comments', { shortcode: 'Dd_qEMMAIYm' }, 'post_not_found'],
    ['photosocial/hashtag', { tag: 'lantern' }, 'hashtag_not_found'],
  ] as const) {
    test(`${path}: proves nothing missing`, async () => {
      for (const body of [
        '{"comments":null,"items":null,"top":null}',
        '{"message":"No","status":"fail","shortcode_media":null,"hashtag":null,"user":null}',
      ]) {
        const [page, refused] = [{ pattern: '/(?:p/)?[^/]+/$', headers: json, body }, rest];
        await assert.rejects(read(path, params, page, refused), (error: { code: string }) => {
          assert.notEqual(error.code, code);
          assert.match(error.code, /^platform_/);
          return true;
        });
      }
    });
  }
});
