import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { comments } from '../../../lib/platforms/photosocial/comments.js';
import { hashtag } from '../../../lib/platforms/photosocial/hashtag.js';
import { post } from '../../../lib/platforms/photosocial/post.js';
import { posts } from '../../../lib/platforms/photosocial/posts.js';
import { profile } from '../../../lib/platforms/photosocial/profile.js';
import type { Route } from '../../../lib/web/routes.js';
import { rejectedCode } from '../../support/error-code.js';
import { readRoutes } from '../../support/read-routes.js';

const user = { username: 'harbor.lantern' };
const reel = { shortcode: 'Dd_qEMMAIYm' };
const json = { 'content-type': 'application/json; charset=utf-8' };
const shell: Route = {
  pattern: '.',
  body: '<!DOCTYPE html><html><head><title>Instagram</title></head><body></body></html>',
};
const refused: Route = { pattern: '.', status: 403 };

const codeOf = (endpoint: unknown, params: object, ...routes: readonly Route[]) =>
  rejectedCode(readRoutes(endpoint, params, routes));

/** The sources that can say whether a subject exists. */
const document = (answer: Partial<Route>): Route => ({ pattern: '/graphql', ...answer });
const oembed = (answer: Partial<Route>): Route => ({ pattern: '/oembed/', headers: json, ...answer });
const embed = (answer: Partial<Route>): Route => ({ pattern: '/embed/captioned/$', ...answer });
const nullDocument = document({ body: '{"data":{"xig_user_by_username":null,"xig_polaris_media":null}}' });
const noMedia = oembed({ status: 404, body: '{"message":"No Media Match","status":"fail"}' });
const exists = oembed({ body: '{"author_name":"harbor.lantern"}' });
const brokenEmbed = embed({
  body: '<script>{"contextJSON":null}</script><p class="EmbedBrokenMedia"></p>',
});
const emptyEmbed: Route = {
  pattern: '/harbor\\.lantern/embed/',
  body: '<script>{"contextJSON":null}</script>',
};

describe('a post is missing', () => {
  const missingPage = { status: 404, body: '<!DOCTYPE html><title>Page not found</title>' };
  for (const [what, code, ...routes] of [
    ['if its embed page and its oEmbed answer say so', 'post_not_found', brokenEmbed, noMedia],
    ['by the status 400 of oEmbed, too', 'post_not_found', brokenEmbed, { ...noMedia, status: 400 }],
    ['not if oEmbed alone says so', 'platform_blocked', noMedia],
    ['not if its embed page alone says so', 'platform_blocked', brokenEmbed],
    ['not if embed pages have another address', 'platform_blocked', embed(missingPage), noMedia],
    ['not if oEmbed has another address', 'platform_blocked', brokenEmbed, oembed(missingPage)],
  ] as const) {
    test(what, async () => assert.equal(await codeOf(post, reel, ...routes, shell), code));
  }
});

describe('behind an error route', () => {
  const error: Route = {
    pattern: '^https://www\\.instagram\\.com/(harbor\\.lantern|p/Dd_qEMMAIYm)/$',
    body: '<!DOCTYPE html><html><body><script type="application/json" data-sjs>{"canonicalRouteName":"comet.igweb.PolarisErrorRoute"}</script></body></html>',
  };
  const refusedDocument = document({ status: 403 });
  const unreachable: Route = { pattern: '.', status: 599 };
  for (const [endpoint, params, code, sources] of [
    [profile, user, 'profile_not_found', { nullDocument, emptyEmbed, noMedia }],
    [profile, user, 'platform_restricted', { nullDocument, emptyEmbed }],
    [profile, user, 'platform_restricted', { nullDocument, noMedia }],
    [profile, user, 'platform_restricted', { nullDocument, emptyEmbed, exists }],
    [posts, user, 'profile_not_found', { nullDocument, emptyEmbed, noMedia }],
    [posts, user, 'platform_restricted', { nullDocument }],
    [post, reel, 'post_not_found', { nullDocument, brokenEmbed }],
    [post, reel, 'post_not_found', { refusedDocument, brokenEmbed, noMedia }],
    [post, reel, 'platform_restricted', { nullDocument }],
    [post, reel, 'platform_restricted', { refusedDocument, brokenEmbed }],
    [post, reel, 'platform_restricted', { nullDocument, exists }],
    [comments, reel, 'post_not_found', { nullDocument, brokenEmbed }],
    [comments, reel, 'platform_restricted', { nullDocument }],
  ] as const) {
    test(`${endpoint.path} is ${code} by ${Object.keys(sources).join(', ')}`, async () =>
      assert.equal(await codeOf(endpoint, params, error, ...Object.values(sources), unreachable), code));
  }
});

describe('a page that says only in its head which subject it shows', () => {
  const home = 'https://www.instagram.com';
  for (const [endpoint, params, url] of [
    [posts, user, `${home}/harbor.lantern/`],
    [comments, reel, `${home}/p/Dd_qEMMAIYm/`],
  ] as const) {
    const body = `<html><head><meta property="og:url" content="${url}" /><meta property="og:title" content="Harbor (@harbor.lantern)" /><meta property="og:description" content="5 Followers, 3 Following, 7 Posts - See photos from Harbor (@harbor.lantern)" /></head><body></body></html>`;
    for (const [what, ...rest] of [
      ['nothing', { pattern: '.', status: 599 }],
      ['the same page', { pattern: '.', body }],
      ['that there is none', nullDocument, { pattern: '.', status: 404 }],
      ['429', { pattern: '.', status: 429 }],
    ] as const) {
      test(`withholds ${endpoint.path}, if the other sources say ${what}`, async () =>
        assert.equal(await codeOf(endpoint, params, { url, body }, ...rest), 'platform_restricted'));
    }
  }
});

// The documents' answer about a deleted post, and about one restricted by country (2026-09).
describe('a document with a server error, for what is deleted or restricted by country', () => {
  const doubtful = document({
    body: JSON.stringify({
      data: { xig_polaris_media: null, xig_user_by_username: null },
      errors: [{ message: 'A server error field_exception occured.' }],
    }),
  });
  for (const [endpoint, params, ...more] of [
    [post, reel],
    [comments, reel],
    [profile, user],
    [post, reel, exists],
  ] as const) {
    test(`does not prove ${endpoint.path} missing${more.length === 0 ? '' : ' that oEmbed knows'}`, async () =>
      assert.equal(await codeOf(endpoint, params, doubtful, ...more, refused), 'platform_blocked'));
  }

  test('proves a post missing that oEmbed does not know', async () => {
    assert.equal(await codeOf(post, reel, doubtful, oembed({ status: 404 }), refused), 'post_not_found');
  });
});

describe('an error with null instead of a page', () => {
  for (const [endpoint, params] of [
    [profile, user],
    [posts, user],
    [post, reel],
    [comments, reel],
    [hashtag, { tag: 'lantern' }],
  ] as const) {
    test(`does not prove the subject of ${endpoint.path} missing`, async () => {
      for (const body of [
        '{"comments":null,"items":null,"top":null}',
        '{"message":"No","status":"fail","shortcode_media":null,"hashtag":null,"user":null}',
      ]) {
        const page = { pattern: '/(?:p/)?[^/]+/$', headers: json, body };
        assert.match(String(await codeOf(endpoint, params, page, shell)), /^platform_/);
      }
    });
  }
});
