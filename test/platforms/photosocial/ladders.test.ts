import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Endpoint } from '../../../lib/endpoint.js';
import { comments } from '../../../lib/platforms/photosocial/comments.js';
import { post } from '../../../lib/platforms/photosocial/post.js';
import { posts } from '../../../lib/platforms/photosocial/posts.js';
import { profile } from '../../../lib/platforms/photosocial/profile.js';
import { site } from '../../../lib/platforms/photosocial/site.js';
import type { Json } from '../../../lib/read/json.js';
import { casesOf } from '../../../lib/samples.js';
import type { Attempt, PageRequest, PageSession } from '../../../lib/web/page-source.js';
import { type Route, routeSource } from '../../../lib/web/routes.js';
import { fixturesOf } from '../../support/fixtures.js';

interface SeenRequests {
  readonly requests: PageRequest[];
  readonly attempts: Attempt[];
}

/** Reads one endpoint, and records the requests to each host. */
async function read(
  row: unknown,
  identity: Readonly<Record<string, Json>>,
  routes: readonly Route[],
  { limit = 12, position = null as Json, refusedLately = [] as readonly string[] } = {},
) {
  const endpoint = row as Endpoint;
  const inner = routeSource(fixturesOf(endpoint), routes).open(site);
  const requests: SeenRequests = { requests: [], attempts: [] };
  const session: PageSession = {
    fetch(request) {
      requests.requests.push(request);
      return inner.fetch(request);
    },
    cookie: (url, name) => inner.cookie(url, name),
    report: (attempt) => requests.attempts.push(attempt),
    end: (error) => error,
  };
  const answer = await endpoint
    .read({ identity, limit, position, session, refusedLately })
    .catch((error) => ({ error }));
  return { ...(answer as Awaited<ReturnType<Endpoint['read']>> & { error?: { code: string } }), ...requests };
}

const surfacesOf = ({ requests }: SeenRequests) => requests.map(({ surface }) => surface);
const pagesOf = async (row: unknown, name: string) => {
  const sample = (await casesOf(row as Endpoint)).find((one) => one.name.startsWith(name));
  return sample?.pages ?? assert.fail(name);
};
const quay = { username: 'amber.quay' };
const refused: Route = { pattern: '/graphql', status: 401, body: '{"message":"login_required"}' };
const errorRoute = (pattern: string): Route => ({
  pattern,
  body: '<!DOCTYPE html><html><head><title>Instagram</title></head><body><script>["LSD",[],{"token":"LsdOfError"},323]</script><script type="application/json" data-sjs>{"canonicalRouteName":"comet.igweb.PolarisErrorRoute"}</script></body></html>',
});

/** The page of an account with this head and no data. */
const headOf = (head: string) =>
  `<!DOCTYPE html><html><head>${head}</head><body><script type="application/json" data-sjs>{"canonicalRouteName":"comet.igweb.PolarisLoggedOutDesktopWWWProfileRoute"}</script></body></html>`;
const withHead = (head: string): Route[] => [
  { pattern: '/embed/', status: 404 },
  { pattern: '/amber.quay/$', body: headOf(head) },
  refused,
];

describe('the ladder of photosocial/profile', () => {
  test('is complete with an embed page and one document', async () => {
    const reading = await read(profile, quay, await pagesOf(profile, 'embed page and one document'));
    assert.deepEqual(surfacesOf(reading), ['embed', 'query']);
    assert.equal(reading.brief, false);
    assert.deepEqual(reading.rounded, []);
  });

  test('tries the profile page’s document after a refused one', async () => {
    const reading = await read(profile, quay, await pagesOf(profile, 'embed page, and the document'));
    assert.deepEqual(surfacesOf(reading), ['embed', 'query', 'document']);
    assert.equal(reading.brief, false);
    assert.deepEqual(
      reading.attempts.map(({ route, outcome }) => [route, outcome]),
      [
        ['embed', 'answered'],
        ['details-document', 'platform_login_required'],
        ['document', 'answered'],
      ],
    );
  });

  test('returns a brief answer from an embed page alone', async () => {
    const reading = await read(profile, quay, await pagesOf(profile, 'embed page alone'));
    assert.equal(reading.brief, true);
  });

  test('requests a surface last that refused within the hour', async () => {
    const pages = await pagesOf(profile, 'page without data: the document answers');
    const reading = await read(profile, { username: 'withheld.lamp' }, pages, {
      refusedLately: ['embed', 'page'],
    });
    assert.equal(reading.attempts[0]?.route, 'document');
    assert.equal(reading.error, undefined);
  });

  test('marks counts from 10,000 in the head of a page as rounded', async () => {
    const says = '18.2K Followers, 3,408 Following, 713 Posts - See photos from Amber (@amber.quay)';
    const head = `<meta property="og:url" content="https://www.instagram.com/amber.quay/" /><meta property="og:description" content="${says}" />`;
    assert.deepEqual((await read(profile, quay, withHead(head))).rounded, ['followers_count']);
  });

  test('refuses the page of another account as platform_changed', async () => {
    const head = '<meta property="og:url" content="https://www.instagram.com/other.lamp/" />';
    assert.equal((await read(profile, quay, withHead(head))).error?.code, 'platform_changed');
  });
});

describe('the ladder of photosocial/post', () => {
  const [code, body] = ['Dd_qEMKLVdi', '"media_id":"3999100000015308642"'];
  const document: Route = { pattern: '/api/graphql$', requestBody: body, file: 'document.json' };

  test('requests the document with the tokens of an error route', async () => {
    const reading = await read(post, { shortcode: code }, [
      document,
      errorRoute(`/p/${code}/`),
      { pattern: '.', status: 403 },
    ]);
    assert.deepEqual(surfacesOf(reading), ['embed', 'document']);
    assert.match(String(reading.requests[1]?.body), /lsd=LsdOfError/);
    assert.equal((reading.data as { shortcode: string }).shortcode, code);
  });
});

describe('the ladder of photosocial/posts', () => {
  test('joins rows by shortcode: times and counts of the embed page, order of the list', async () => {
    const pages = await pagesOf(posts, 'document joined by shortcode');
    const reading = await read(posts, quay, pages);
    const data = reading.data as { shortcode: string; timestamp: string | null; like_count: number | null }[];
    assert.equal(data.length, 7);
    assert.ok(data.every(({ timestamp }) => timestamp !== null));
    assert.deepEqual(
      [reading.total, reading.ended, reading.next, reading.brief],
      [138, 'visitors', null, false],
    );
    assert.ok(!surfacesOf(reading).includes('page'));
  });

  test('returns the six posts of an embed page in parts', async () => {
    const pages = await pagesOf(posts, 'embed page alone: its six');
    const first = await read(posts, quay, pages, { limit: 4 });
    assert.equal((first.data as unknown[]).length, 4);
    assert.deepEqual([first.total, first.ended], [138, 'more']);
    const second = await read(posts, quay, pages, { limit: 4, position: first.next ?? null });
    assert.equal((second.data as unknown[]).length, 2);
    assert.deepEqual([second.total, second.ended, second.next], [138, 'visitors', null]);
  });

  const user = { username: quay.username, pk: '1', id: '17841460422991001' };
  const row = (at: number, more: object = {}) => ({
    node: { code: `Dd_qEMK${at}`, media_type: 1, caption: null, user, ...more },
  });
  const info = (has_next_page: boolean, end_cursor: string | null) => ({ has_next_page, end_cursor });
  const tab = {
    polaris_ordered_timeline_connection: {
      edges: [0, 1, 2].map((at) => row(at)),
      page_info: info(true, 'one'),
    },
  };
  const fullList = (from: number) => ({
    xdt_api__v1__feed__user_timeline_graphql_connection: {
      edges: [0, 1, 2].map((at) => row(from + at, { taken_at: 1_790_000_000 - at })),
      page_info: info(true, `${from + 3}_1`),
    },
  });
  const answers = (pattern: string, requestBody: string, data: object): Route => {
    const body = JSON.stringify({ data });
    return { pattern, requestBody, method: 'POST', body };
  };
  const lists = [
    answers('/api/graphql', 'PostsTabContentQuery', {
      xig_user_by_username: { username: quay.username, ...tab },
    }),
    answers('/graphql/query', '"after":"3_1"', fullList(3)),
    answers('/graphql/query', 'PolarisProfilePostsQuery', fullList(0)),
    { pattern: '.', status: 403 },
  ];

  test('continues a list by the route with complete rows', async () => {
    const first = await read(posts, quay, lists, { limit: 3 });
    assert.ok((first.data as { timestamp: unknown }[]).every(({ timestamp }) => timestamp !== null));
    assert.deepEqual((first.next as { route: string }).route, 'whole-posts-document');
    const second = await read(posts, quay, lists, { limit: 3, position: first.next ?? null });
    assert.deepEqual(
      (second.data as { shortcode: string }[]).map(({ shortcode }) => shortcode),
      ['Dd_qEMK3', 'Dd_qEMK4', 'Dd_qEMK5'],
    );
  });

  test('ends a list at a repeated part', async () => {
    const again = answers('/api/graphql', 'PostsTabContentQuery_connection', {
      node: { username: quay.username, ...tab },
    });
    const routes = [again, ...lists.slice(0, 1), { pattern: '.', status: 403 }];
    const { data, next, ended } = await read(posts, quay, routes);
    assert.deepEqual([(data as unknown[]).length, next, ended], [3, null, 'repeated']);
  });
});

test('a list of comments states its total, and that visitors see only a part', async () => {
  const shortcode = 'Dd_qEMKLVdi';
  const user = { username: 'mira' };
  const comment = (pk: number) => ({ pk: `${pk}`, text: 'Fine', created_at: 1_790_000_000, user });
  const data = {
    xig_polaris_media: {
      code: shortcode,
      if_not_gated_logged_out: { comment_count: 13_000 },
      comments_connection: {
        edges: [null, comment(1), comment(2)].map((node) => ({ node })),
        page_info: { has_next_page: false, end_cursor: null },
      },
    },
  };
  const html = `<!DOCTYPE html><html><body><script type="application/json" data-sjs>${JSON.stringify(data)}</script></body></html>`;
  const reading = await read(comments, { shortcode }, [{ pattern: `/p/${shortcode}/$`, body: html }]);
  assert.deepEqual(
    [(reading.data as unknown[]).length, reading.total, reading.ended, reading.next],
    [2, 13_000, 'visitors', null],
  );
});
