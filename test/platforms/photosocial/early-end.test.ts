import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { firstPosition } from '../../../lib/call/cursor.js';
import { fetchAnswer } from '../../../lib/call/fetch-answer.js';
import type { Endpoint } from '../../../lib/endpoint.js';
import { comments } from '../../../lib/platforms/photosocial/comments.js';
import { hashtag } from '../../../lib/platforms/photosocial/hashtag.js';
import { posts } from '../../../lib/platforms/photosocial/posts.js';
import type { Json } from '../../../lib/read/json.js';
import { type Route, routeSource } from '../../../lib/web/routes.js';
import { stoppedClock } from '../../support/cases.js';

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

/** What an endpoint makes of these routes, where everything else is refused, and how many items that is. */
async function readOf(
  row: unknown,
  identity: Record<string, Json>,
  position: Json,
  limit: number,
  routes: Route[],
) {
  const place = { ...firstPosition, position };
  const request = { endpoint: row as Endpoint, identity, position: place, limit };
  const source = routeSource('.', [...routes, { pattern: '.', status: 403 }]);
  const { answer } = await fetchAnswer(request, source, stoppedClock);
  return { ...answer, size: (JSON.parse(answer.data) as unknown[]).length, ended: answer.coverage?.ended };
}

const read = (position: Json, ...routes: Route[]) =>
  readOf(posts, { username: 'harbor.lantern' }, position, 12, routes);

describe('a list of posts', () => {
  for (const [total, ended] of [
    [713, 'visitors'],
    [12, 'end'],
    [13, 'end'],
    [20, 'end'],
  ] as const) {
    test(`that ends after 12 of ${total} ends: ${ended}`, async () => {
      const answer = await read(null, profile(total, 12));
      assert.deepEqual([answer.size, answer.next, answer.ended], [12, null, ended]);
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
      assert.deepEqual([answer.data, answer.next, answer.ended], ['[]', null, ended]);
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
    ['401 without a word', { status: 401 }],
    ['403 that asks for a login', { status: 403, body: message('login_required') }],
    ['a login page', { finalUrl: 'https://www.instagram.com/accounts/login/?next=x', body: '<html></html>' }],
  ] as const) {
    test(`${what}: the list ends for visitors, and is kept for minutes`, async () => {
      const { size, next, ended, brief } = await after(then);
      assert.deepEqual([size, next, ended, brief], [3, null, 'visitors', true]);
    });
  }

  for (const [what, then] of [
    ['429', { status: 429 }],
    ['the words to wait alone', { status: 400, body: message(wait) }],
    ['403 without words', { status: 403 }],
    ['a page in place of data', { body: '<html><body></body></html>' }],
    ['a fault of the platform', { status: 500 }],
  ] as const) {
    test(`${what}: the address is refused or served badly, and the list leads on`, async () => {
      const { size, next, ended } = await after(then);
      assert.deepEqual([size, ended, next === null], [3, 'more', false]);
    });
  }
});

describe('a list of a hashtag whose next part has no items where items stand', () => {
  const tagged = (count: number, hasNext: boolean) =>
    connection(count, hasNext).edges.map(({ node }) => ({
      node: { ...node, caption: { text: '#lantern' } },
    }));
  const part = (after: string | null, edges: unknown, hasNext: boolean, cursor: string | null): Route => ({
    url: 'https://www.instagram.com/api/graphql',
    method: 'POST',
    requestBody: `"keyword":"lantern".*"after":${JSON.stringify(after)}`,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      data: {
        xig_logged_out_popular_search_media_info: {
          edges,
          page_info: { has_next_page: hasNext, end_cursor: cursor },
        },
      },
    }),
  });
  const first = part(null, tagged(3, true), true, 'one');
  const third = part('two', tagged(6, false).slice(3), false, null);

  for (const [what, second] of [
    ['null, and leads to a third', part('one', null, true, 'two')],
    ['null, and leads to itself', part('one', null, true, 'one')],
    ['null, and the last', part('one', null, false, null)],
    ['not there, and leads to a third', part('one', undefined, true, 'two')],
  ] as const) {
    test(`they are ${what}: the answer ends before it, and leads to it`, async () => {
      const answer = await readOf(hashtag, { tag: 'lantern' }, null, 24, [first, second, third]);
      const next = { route: 'document', at: [{ after: 'one' }, 0] };
      assert.deepEqual([answer.size, answer.next, answer.brief], [3, next, true]);
    });
  }
});

describe('a list of comments that goes on, and does not say where', () => {
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
  const page = (first: object): Route => ({
    pattern: `/p/${shortcode}/$`,
    body: html(first),
  });
  const document = (after: string | null, next: object): Route => ({
    url: 'https://www.instagram.com/api/graphql',
    method: 'POST',
    requestBody: `"after":${JSON.stringify(after)}`,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ data: next }),
  });
  const readComments = (...routes: Route[]) => readOf(comments, { shortcode, link: null }, null, 50, routes);

  for (const cursor of [undefined, null, '', { server_cursor: 'x' }, 7]) {
    test(`is requested from the beginning once with the cursor ${JSON.stringify(cursor)}, and ends unexplained`, async () => {
      const routes = [page(list(3, true, cursor)), document(null, list(5, true, cursor))];
      const { size, next, ended } = await readComments(...routes);
      assert.deepEqual([size, next, ended], [5, null, 'unknown']);
    });
  }

  test('ends where the second answer says so', async () => {
    const { size, next } = await readComments(
      page(list(3, true, null)),
      document(null, list(5, false, null)),
    );
    assert.deepEqual([size, next], [5, null]);
  });
});
