import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { GuestSession } from '../../../lib/platforms/photosocial/guest-session.js';
import { site } from '../../../lib/platforms/photosocial/site.js';
import type { PageRequest, PageSession } from '../../../lib/web/page-source.js';
import { type Route, routeSource } from '../../../lib/web/routes.js';

const home = 'https://www.instagram.com';
const from = `${home}/harbor.lantern/`;
const handing =
  '<script id="__eqmc" type="application/json">{"u":"/ajax/qm/?x=1&jazoest=21034","l":"LsdOfScript"}</script>' +
  '<script>["LSD",[],{"token":"LsdOfPage"},323]</script>';

function session(routes: readonly Route[], overrides = null as never) {
  const session = routeSource('/', routes).open(site);
  const requests: PageRequest[] = [];
  const watched: PageSession = {
    cookie: (url, name) => session.cookie(url, name),
    end() {},
    fetch(request) {
      requests.push(request);
      return session.fetch(request);
    },
  };
  return { session: new GuestSession(watched, overrides), requests };
}
const form = (request: PageRequest | undefined) => new URLSearchParams(request?.body);

describe('a guest session', () => {
  test('the tokens of a page go back with the document requests of the same session', async () => {
    const { session: walk, requests } = session([
      { url: from, body: handing, headers: { 'set-cookie': 'csrftoken=TokenOfCookie; Path=/; Secure' } },
      { url: `${home}/api/graphql`, method: 'POST', body: '{}' },
    ]);
    await walk.page(from);
    await walk.document('profile', { username: 'harbor.lantern' }, from);
    const [, question] = requests;
    assert.equal(question?.method, 'POST');
    assert.deepEqual(Object.fromEntries(form(question)), {
      av: '0',
      __d: 'www',
      __user: '0',
      __a: '1',
      __comet_req: '7',
      lsd: 'LsdOfPage',
      jazoest: '21034',
      fb_api_caller_class: 'RelayModern',
      fb_api_req_friendly_name: 'PolarisLoggedOutDesktopWWWProfileRootContentQuery',
      variables: '{"username":"harbor.lantern"}',
      server_timestamps: 'true',
      doc_id: '27981003384861049',
    });
    assert.equal(question?.headers?.['x-fb-lsd'], 'LsdOfPage');
    assert.equal(question?.headers?.['x-csrftoken'], 'TokenOfCookie');
    assert.equal(question?.headers?.referer, from);
  });

  test('nothing that no page handed over is sent', async () => {
    const { session: walk, requests } = session([{ pattern: '.', body: '<html></html>' }]);
    await walk.page(from);
    await walk.document('postsBefore', { id: '1', after: null }, from);
    const question = requests.at(-1);
    for (const key of ['lsd', 'jazoest', 'fb_api_req_friendly_name'])
      assert.equal(form(question).has(key), false, key);
    for (const name of ['x-fb-lsd', 'x-csrftoken', 'x-fb-friendly-name']) {
      assert.equal(Object.hasOwn(question?.headers ?? {}, name), false, name);
    }
  });

  test('a document request without a page before it opens its referring page', async () => {
    const { session: walk, requests } = session([
      { url: from, body: handing.replace(/<script>.*/, '') },
      { pattern: '.', body: '{}' },
    ]);
    await walk.document('profile', { username: 'x' }, from);
    await walk.document('profile', { username: 'x' }, from);
    assert.deepEqual(
      requests.map(({ url }) => url),
      [from, `${home}/api/graphql`, `${home}/api/graphql`],
    );
    assert.equal(form(requests[1]).get('lsd'), 'LsdOfScript');
  });

  test('a cursor goes back byte for byte', async () => {
    const after = '{"is_server_cursor_inverse":true,"server_cursor":"AQH+/=% é\\"\\u0041"}';
    const { session: walk, requests } = session([{ pattern: '.', body: '{}' }]);
    await walk.document('comments', { id: '1', after }, from);
    assert.equal(JSON.parse(form(requests.at(-1)).get('variables') ?? '').after, after);
  });

  test('a replaced document is requested as the operator says', async () => {
    const overrides = { profile: { id: '77', path: '/graphql/query', variables: { name: '$username' } } };
    const { session: walk, requests } = session([{ pattern: '.', body: '{}' }], overrides as never);
    await walk.document('profile', { username: 'x' }, from);
    assert.equal(requests.at(-1)?.url, `${home}/graphql/query`);
    assert.equal(form(requests.at(-1)).get('doc_id'), '77');
    assert.equal(form(requests.at(-1)).get('variables'), '{"name":"x"}');
  });

  test('after “too many requests” the session sends nothing more', async () => {
    const { session: walk, requests } = session([
      { pattern: '.', status: 429, headers: { 'retry-after': '30' } },
    ]);
    assert.equal((await walk.page(from)).status, 429);
    await assert.rejects(walk.document('profile', { username: 'x' }, from), {
      code: 'platform_rate_limited',
      retryAfter: 30,
    });
    await assert.rejects(walk.page(from), { code: 'platform_rate_limited' });
    assert.equal(requests.length, 1);
  });

  test('after an unreachable platform the session sends nothing more', async () => {
    const { session: walk, requests } = session([]);
    await assert.rejects(walk.page(from), { code: 'platform_unavailable' });
    await assert.rejects(walk.page(`${home}/other/`), { code: 'platform_unavailable' });
    assert.equal(requests.length, 1);
  });

  test('a page that is too large says nothing of the next one', async () => {
    const { session: walk } = session([
      { url: from, body: 'x'.repeat(site.maxBytes + 1) },
      { pattern: '.', body: '{}' },
    ]);
    await assert.rejects(walk.page(from), { code: 'platform_changed' });
    assert.equal((await walk.page(`${home}/other/`)).text(), '{}');
  });
});
