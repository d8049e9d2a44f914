import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { comments } from '../../../lib/platforms/photosocial/comments.js';
import { hashtag } from '../../../lib/platforms/photosocial/hashtag.js';
import { posts } from '../../../lib/platforms/photosocial/posts.js';
import type { Json } from '../../../lib/read/json.js';
import type { Route } from '../../../lib/web/routes.js';
import { readRoutes } from '../../support/read-routes.js';

const user = { username: 'harbor.lantern', pk: '60410022', id: '17841400000000022' };
const connection = (count: number, hasNext: boolean) => ({
  edges: Array.from({ length: count }, (_, at) => ({
    node: { code: `Dd_qEMK${at}`, media_type: 1, taken_at: 1_790_000_000 - at, caption: null, user },
  })),
  page_info: { has_next_page: hasNext, end_cursor: hasNext ? 'cursor' : null },
});
const timeline = (count: number, hasNext: boolean) => ({
  polaris_ordered_timeline_connection: connection(count, hasNext),
});

const account = (list: object) => ({
  xig_user_by_username: { ...user, full_name: 'Harbor', is_private: false, ...list },
});

/** The page of an account that counts some posts, and lists some. */
const profile = (total: number, count: number): Route => ({
  pattern: '/harbor\\.lantern/$',
  body: html(
    account(timeline(count, false)),
    `<meta property="og:description" content="20 Followers, 10 Following, ${total} Posts - See Instagram photos and videos from Harbor (@harbor.lantern)" />`,
  ),
});

const html = (data: object, head = '') =>
  `<!DOCTYPE html><html><head>${head}</head><body><script type="application/json" data-sjs>${JSON.stringify(data)}</script></body></html>`;

/** Reads a page of an endpoint from these routes, where everything else is refused. */
const readFrom = (endpoint: unknown, params: object, routes: Route[], options: { position?: Json } = {}) =>
  readRoutes(endpoint, params, [...routes, { pattern: '.', status: 403 }], options);

const read = (position: Json, ...routes: Route[]) =>
  readFrom(posts, { username: 'harbor.lantern' }, routes, { position });

/** The answer of a document to a request with these variables. */
const document = (requestBody: string, data: object): Route => ({
  ...{ url: 'https://www.instagram.com/api/graphql', method: 'POST', requestBody },
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ data }),
});

describe('a list of posts', () => {
  for (const [total, ended] of [
    [713, 'visitors'],
    [12, 'end'],
    [13, 'end'],
    [20, 'end'],
  ] as const) {
    test(`that ends after 12 of ${total} ends: ${ended}`, async () => {
      const answer = await read(null, profile(total, 12));
      assert.deepEqual([answer.data.length, answer.next, answer.ended], [12, null, ended]);
    });
  }

  const place = { shape: 'P', after: 'cursor', id: user.id };
  for (const [at, ended] of [
    [{ ...place, given: 12, total: 713 }, 'visitors'],
    [{ ...place, given: 12, total: 13 }, 'end'],
    [{ ...place, given: 12, total: null }, 'end'],
    [place, 'end'],
  ] as const) {
    test(`ends with an answer without posts: ${ended} at ${JSON.stringify(at)}`, async () => {
      const body = JSON.stringify({ data: { node: { ...user, ...timeline(0, false) } } });
      const answer = await read([at, 0], profile(713, 12), { pattern: '/graphql', body });
      assert.deepEqual([answer.data, answer.next, answer.ended], [[], null, ended]);
    });
  }
});

describe('a later part that is refused', () => {
  const first: Route = { pattern: '/harbor\\.lantern/$', body: html(account(timeline(3, true))) };
  const message = (text: string, more = {}) => JSON.stringify({ message: text, status: 'fail', ...more });
  const wait = 'Please wait a few minutes before you try again.';
  const after = (then: Partial<Route>) =>
    read(null, first, { pattern: '/graphql', requestBody: '"after":"cursor"', ...then });

  for (const [what, then] of [
    ['401 with words', { status: 401, body: message(wait, { require_login: true }) }],
    ['401 without a body', { status: 401 }],
    ['403 that asks for a login', { status: 403, body: message('login_required') }],
    ['a login page', { finalUrl: 'https://www.instagram.com/accounts/login/?next=x', body: '<html></html>' }],
  ] as const) {
    test(`${what}: the list ends for visitors, and is cached for minutes`, async () => {
      const { data, next, ended, brief } = await after(then);
      assert.deepEqual([data.length, next, ended, brief], [3, null, 'visitors', true]);
    });
  }

  for (const [what, then] of [
    ['429', { status: 429 }],
    ['the words to wait, without a status', { status: 400, body: message(wait) }],
    ['403 without a body', { status: 403 }],
    ['a page instead of data', { body: '<html><body></body></html>' }],
    ['a fault of the platform', { status: 500 }],
  ] as const) {
    test(`${what}: the list continues, because the address is refused or badly served`, async () => {
      const { data, next, ended } = await after(then);
      assert.deepEqual([data.length, ended, next === null], [3, 'more', false]);
    });
  }
});

describe('a list of a hashtag whose next part has no list of items', () => {
  const tagged = (count: number, hasNext: boolean) =>
    connection(count, hasNext).edges.map(({ node }) => ({
      node: { ...node, caption: { text: '#lantern' } },
    }));
  const part = (after: string | null, edges: unknown, has_next_page: boolean, end_cursor: string | null) => {
    const page_info = { has_next_page, end_cursor };
    const list = { xig_logged_out_popular_search_media_info: { edges, page_info } };
    return document(`"keyword":"lantern".*"after":${JSON.stringify(after)}`, list);
  };
  const first = part(null, tagged(3, true), true, 'one');
  const third = part('two', tagged(6, false).slice(3), false, null);

  for (const [what, second] of [
    ['null, and leads to a third', part('one', null, true, 'two')],
    ['null, and leads to itself', part('one', null, true, 'one')],
    ['null, and is the last', part('one', null, false, null)],
    ['missing, and leads to a third', part('one', undefined, true, 'two')],
  ] as const) {
    test(`is answered up to that part, and continues with it: ${what}`, async () => {
      const answer = await readFrom(hashtag, { tag: 'lantern' }, [first, second, third]);
      const next = { route: 'document', at: [{ after: 'one' }, 0] };
      assert.deepEqual([answer.data.length, answer.next, answer.brief], [3, next, true]);
    });
  }
});

describe('a list of comments that continues, and does not say where', () => {
  const shortcode = 'Dd_qEMKLVdi';
  const list = (count: number, more: boolean, end_cursor: unknown) => ({
    xig_polaris_media: {
      code: shortcode,
      comments_connection: {
        edges: Array.from({ length: count }, (_, at) => ({
          node: { pk: `${at}`, text: 'Fine', created_at: 1_790_000_000, user: { username: 'mira' } },
        })),
        page_info: { has_next_page: more, end_cursor },
      },
    },
  });
  const page = (first: object): Route => ({ pattern: `/p/${shortcode}/$`, body: html(first) });
  const readComments = (first: object, next: object) =>
    readFrom(comments, { shortcode }, [page(first), document('"after":null', next)]);

  for (const cursor of [undefined, null, '', { server_cursor: 'x' }, 7]) {
    test(`is requested from the beginning once with the cursor ${JSON.stringify(cursor)}, and ends unexplained`, async () => {
      const { data, next, ended } = await readComments(list(3, true, cursor), list(5, true, cursor));
      assert.deepEqual([data.length, next, ended], [5, null, 'unknown']);
    });
  }

  test('ends if the second answer says so', async () => {
    const { data, next } = await readComments(list(3, true, null), list(5, false, null));
    assert.deepEqual([data.length, next], [5, null]);
  });
});
