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

/** The page of an account that counts some posts, and lists some. */
const profile = (total: number, count: number): Route => ({
  pattern: '/harbor\\.lantern/$',
  body: `<!DOCTYPE html><html><head><meta property="og:description" content="20 Followers, 10 Following, ${total} Posts - See Instagram photos and videos from Harbor (@harbor.lantern)" /></head><body><script type="application/json" data-sjs>${JSON.stringify({ xig_user_by_username: { ...user, full_name: 'Harbor', is_private: false, ...timeline(count, false) } })}</script></body></html>`,
});

function read(position: Json, ...routes: Route[]) {
  const request = {
    endpoint: posts as unknown as Endpoint,
    identity: { username: 'harbor.lantern' },
    position: { ...firstPosition, position },
    limit: 12,
  };
  return fetchAnswer(request, routeSource('.', [...routes, { pattern: '.', status: 403 }]), stoppedClock);
}

describe('a list of posts that ends long before the number of the account’s posts', () => {
  test('ends for visitors: it is no end of the platform’s, and no error', async () => {
    const { answer } = await read(null, profile(713, 12));
    assert.equal((JSON.parse(answer.data) as unknown[]).length, 12);
    assert.deepEqual([answer.next, answer.coverage?.ended], [null, 'visitors']);
  });

  test('ends where it has about as many', async () => {
    for (const total of [12, 13, 20]) {
      const { answer } = await read(null, profile(total, 12));
      assert.deepEqual([answer.next, answer.coverage?.ended], [null, 'end'], `${total}`);
    }
  });

  test('ends with an answer without posts, for visitors or for all', async () => {
    const none: Route = {
      pattern: '/graphql',
      body: JSON.stringify({ data: { node: { ...user, ...timeline(0, false) } } }),
    };
    const at = (count: number, total: number | null) => [
      { shape: 'P', after: 'cursor', id: user.id, given: count, total },
      0,
    ];
    for (const [position, ended] of [
      [at(12, 713), 'visitors'],
      [at(12, 13), 'end'],
      [at(12, null), 'end'],
      [[{ shape: 'P', after: 'cursor', id: user.id }, 0], 'end'],
    ] as const) {
      const { answer } = await read(position as Json, profile(713, 12), none);
      assert.deepEqual([answer.data, answer.next, answer.coverage?.ended], ['[]', null, ended]);
    }
  });
});

describe('a later part that is refused', () => {
  const first: Route = {
    pattern: '/harbor\\.lantern/$',
    body: `<!DOCTYPE html><html><body><script type="application/json" data-sjs>${JSON.stringify({ xig_user_by_username: { ...user, full_name: 'Harbor', is_private: false, ...timeline(3, true) } })}</script></body></html>`,
  };
  const message = (text: string, more = {}) => JSON.stringify({ message: text, status: 'fail', ...more });
  const wait = 'Please wait a few minutes before you try again.';
  const given = (answer: { readonly data: string }) => (JSON.parse(answer.data) as unknown[]).length;
  const after = (then: Partial<Route>) =>
    read(null, first, { pattern: '/graphql', requestBody: '"after":"cursor"', ...then });

  for (const [what, then] of [
    ['401 with words', { status: 401, body: message(wait, { require_login: true }) }],
    ['401 without a word', { status: 401 }],
    ['403 that asks for a login', { status: 403, body: message('login_required') }],
    ['a login page', { finalUrl: 'https://www.instagram.com/accounts/login/?next=x', body: '<html></html>' }],
  ] as const) {
    test(`${what}: the list ends for visitors, and is kept for minutes`, async () => {
      const { answer } = await after(then);
      assert.deepEqual([given(answer), answer.next, answer.coverage?.ended], [3, null, 'visitors']);
      assert.equal(answer.brief, true);
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
      const { answer } = await after(then);
      assert.deepEqual([given(answer), answer.coverage?.ended], [3, 'more']);
      assert.notEqual(answer.next, null);
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
      const request = {
        endpoint: hashtag as unknown as Endpoint,
        identity: { tag: 'lantern' },
        position: firstPosition,
        limit: 24,
      };
      const source = routeSource('.', [first, second, third, { pattern: '.', status: 403 }]);
      const { answer } = await fetchAnswer(request, source, stoppedClock);
      assert.equal((JSON.parse(answer.data) as unknown[]).length, 3);
      assert.deepEqual(answer.next, { route: 'document', at: [{ after: 'one' }, 0] });
      assert.equal(answer.brief, true);
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
    body: `<!DOCTYPE html><html><body><script type="application/json" data-sjs>${JSON.stringify(first)}</script></body></html>`,
  });
  const document = (after: string | null, next: object): Route => ({
    url: 'https://www.instagram.com/api/graphql',
    method: 'POST',
    requestBody: `"after":${JSON.stringify(after)}`,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ data: next }),
  });
  const readComments = (position: Json, ...routes: Route[]) => {
    const request = {
      endpoint: comments as unknown as Endpoint,
      identity: { shortcode, link: null },
      position: { ...firstPosition, position },
      limit: 50,
    };
    return fetchAnswer(request, routeSource('.', [...routes, { pattern: '.', status: 403 }]), stoppedClock);
  };

  for (const cursor of [undefined, null, '', { server_cursor: 'x' }, 7]) {
    test(`its cursor is ${JSON.stringify(cursor)}: it is asked for from the beginning once, and ends without a word`, async () => {
      const routes = [page(list(3, true, cursor)), document(null, list(5, true, cursor))];
      const { answer } = await readComments(null, ...routes);
      assert.equal((JSON.parse(answer.data) as unknown[]).length, 5);
      assert.deepEqual([answer.next, answer.coverage?.ended], [null, 'unknown']);
    });
  }

  test('it ends where the second answer says so', async () => {
    const { answer } = await readComments(
      null,
      page(list(3, true, null)),
      document(null, list(5, false, null)),
    );
    assert.deepEqual([(JSON.parse(answer.data) as unknown[]).length, answer.next], [5, null]);
  });
});
