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
const urlsOf = (requests: readonly PageRequest[]) => requests.map(({ url }) => url);
const surfacesOf = (requests: readonly PageRequest[]) => requests.map(({ surface }) => surface);
const form = (request: PageRequest | undefined) => new URLSearchParams(request?.body);

describe('a guest session', () => {
  test('sends the tokens of a page with its document requests', async () => {
    const { session: walk, requests } = session([
      { url: from, body: handing, headers: { 'set-cookie': 'csrftoken=TokenOfCookie; Path=/; Secure' } },
      { url: `${home}/api/graphql`, method: 'POST', body: '{}' },
    ]);
    await walk.page(from);
    await walk.document('profile', { username: 'harbor.lantern' }, from);
    const [, question] = requests;
    assert.equal(question?.method, 'POST');
    assert.deepEqual(Object.fromEntries(form(question)), {
      ...{ av: '0', __d: 'www', __user: '0', __a: '1', __comet_req: '7', lsd: 'LsdOfPage', jazoest: '21034' },
      ...{ fb_api_caller_class: 'RelayModern', server_timestamps: 'true', doc_id: '27981003384861049' },
      fb_api_req_friendly_name: 'PolarisLoggedOutDesktopWWWProfileRootContentQuery',
      variables: '{"username":"harbor.lantern"}',
    });
    assert.equal(question?.headers?.['x-fb-lsd'], 'LsdOfPage');
    assert.equal(question?.headers?.['x-csrftoken'], 'TokenOfCookie');
    assert.equal(question?.headers?.referer, from);
  });

  test('sends no tokens if no page had any', async () => {
    const { session: walk, requests } = session([{ pattern: '.', body: '<html></html>' }]);
    await walk.page(from);
    await walk.document('postsNext', { id: '1', after: null }, from);
    const question = requests.at(-1);
    for (const key of ['lsd', 'jazoest']) assert.equal(form(question).has(key), false, key);
    for (const name of ['x-fb-lsd', 'x-csrftoken']) {
      assert.equal(Object.hasOwn(question?.headers ?? {}, name), false, name);
    }
  });

  test('takes the tokens of the embed page if no page was opened', async () => {
    const body = '<script>["LSD",[],{"token":"LsdOfEmbed"},323]</script>{"csrf_token":"Csrf"}';
    const { session: walk, requests } = session([
      { url: `${from}embed/`, body },
      { pattern: '.', body: '{}' },
    ]);
    await walk.document('profile', { username: 'x' }, from);
    await walk.document('profile', { username: 'x' }, from);
    assert.deepEqual(urlsOf(requests), [`${from}embed/`, `${home}/api/graphql`, `${home}/api/graphql`]);
    assert.equal(form(requests[1]).get('lsd'), 'LsdOfEmbed');
    assert.equal(requests[1]?.headers?.['x-csrftoken'], 'Csrf');
    assert.deepEqual(surfacesOf(requests), ['embed', 'document', 'document']);
    assert.equal(requests[0]?.headers?.['sec-fetch-mode'], undefined);
  });

  test('takes the tokens of the page if the embed page has none or is refused', async () => {
    for (const embed of [
      { body: '<html></html>' },
      { failure: { code: 'platform_blocked', message: 'No.' } },
    ] as const) {
      const { session: walk, requests } = session([
        { url: `${from}embed/`, ...embed },
        { url: from, body: handing.replace(/<script>.*/, '') },
        { pattern: '.', body: '{}' },
      ]);
      await walk.document('profile', { username: 'x' }, from);
      assert.deepEqual(surfacesOf(requests), ['embed', 'page', 'document']);
      assert.equal(form(requests[2]).get('lsd'), 'LsdOfScript');
      assert.equal(requests[1]?.headers?.['sec-fetch-mode'], 'navigate');
    }
  });

  test('opens a page once', async () => {
    const { session: walk, requests } = session([{ pattern: '.', body: handing }]);
    assert.equal(await walk.page(from), await walk.page(from));
    assert.equal(requests.length, 1);
  });

  const document = (name: string, id: string) =>
    `{"actorID":"0","preloaderID":"adp_PolarisLoggedOutDesktopWWW${name}RelayPreloader_69648290f3","queryID":"${id}","variables":{"username":"else","fresh":true},"queryName":"Polaris${name}"}`;
  const ids = (requests: readonly PageRequest[]) =>
    requests.filter(({ method }) => method === 'POST').map((request) => form(request).get('doc_id'));
  const missing = JSON.stringify({
    errors: [{ message: 'The GraphQL document with ID 27981003384861049 was not found.' }],
  });
  const root = 'ProfileRootContentQuery';

  test('prefers the document ID and variables of a page to the known ones', async () => {
    const { session: walk, requests } = session([
      { url: from, body: handing + document(root, '33333333333333333') },
      { pattern: '.', body: '{}' },
    ]);
    await walk.page(from);
    await walk.document('profile', { username: 'harbor.lantern' }, from);
    assert.deepEqual(ids(requests), ['33333333333333333']);
    assert.deepEqual(JSON.parse(form(requests[1]).get('variables') ?? ''), {
      username: 'harbor.lantern',
      fresh: true,
    });
  });

  test('looks for a retired ID in the page', async () => {
    const { session: walk, requests } = session([
      { url: `${from}embed/`, body: handing },
      { url: from, body: document(root, '33333333333333333') },
      { pattern: '.', requestBody: 'doc_id=27981003384861049', body: missing },
      { pattern: '.', body: '{}' },
    ]);
    assert.equal((await walk.document('profile', { username: 'x' }, from)).text(), '{}');
    assert.deepEqual(ids(requests), ['27981003384861049', '33333333333333333']);
  });

  test('looks for a retired ID in at most three scripts of the page, each once', async () => {
    const script = (name: string) => `https://static.cdninstagram.com/rsrc.php/v4/${name}.js`;
    const resources = Object.fromEntries(
      ['a', 'b', 'c', 'd', 'all'].map((key) => [key, { type: 'js', src: script(key) }]),
    );
    const map = {
      rsrcMap: {
        ...resources,
        style: { type: 'css', src: 'https://static.cdninstagram.com/s.css' },
        far: { type: 'js', src: 'https://elsewhere.example/far.js' },
      },
      compMap: {
        'PolarisLoggedOutDesktopWWWProfileRoot.react': { r: ['all', 'far', 'style', 'a', 'b', 'c', 'd'] },
        'PolarisErrorRoot.react': { r: ['all'] },
      },
    };
    const defined = `__d("PolarisLoggedOutDesktopWWW${root}_instagramRelayOperation",[],(function(a,b,c,d,e,f){e.exports="44444444444444444"}),null);`;
    const routes = [
      { url: `${from}embed/`, body: handing },
      { url: from, body: JSON.stringify(map) },
      { url: script('b'), body: defined },
      { pattern: 'rsrc.php', body: '__d("Other",[],1);' },
      { pattern: '.', requestBody: 'doc_id=27981003384861049', body: missing },
      { pattern: '.', body: '{}' },
    ];
    const { session: walk, requests } = session(routes);
    assert.equal((await walk.document('profile', { username: 'x' }, from)).text(), '{}');
    assert.deepEqual(ids(requests), ['27981003384861049', '44444444444444444']);
    const scripts = (of: readonly PageRequest[]) =>
      of.filter(({ url }) => url.includes('rsrc.php')).map(({ url }) => url);
    assert.deepEqual(scripts(requests), ['a', 'b', 'c'].map(script));
    const later = session(routes);
    assert.equal((await later.session.document('profile', { username: 'y' }, from)).text(), '{}');
    assert.deepEqual(scripts(later.requests), []);
  });

  test('opens no other page if a document request returns a page', async () => {
    const { session: walk, requests } = session([
      { url: `${from}embed/`, body: handing },
      { pattern: '.', body: '<!DOCTYPE html><html></html>' },
    ]);
    await walk.document('profile', { username: 'x' }, from);
    assert.equal(requests.length, 2);
  });

  test('sends a cursor back byte for byte', async () => {
    const after = '{"is_server_cursor_inverse":true,"server_cursor":"AQH+/=% é\\"\\u0041"}';
    const { session: walk, requests } = session([{ pattern: '.', body: '{}' }]);
    await walk.document('comments', { id: '1', after }, from);
    assert.equal(JSON.parse(form(requests.at(-1)).get('variables') ?? '').after, after);
  });

  test('requests a replaced document as the operator configured it', async () => {
    const overrides = { profile: { id: '77', path: '/graphql/query', variables: { name: '$username' } } };
    const { session: walk, requests } = session([{ pattern: '.', body: '{}' }], overrides as never);
    await walk.document('profile', { username: 'x' }, from);
    assert.equal(requests.at(-1)?.url, `${home}/graphql/query`);
    assert.equal(form(requests.at(-1)).get('doc_id'), '77');
    assert.equal(form(requests.at(-1)).get('variables'), '{"name":"x"}');
  });

  test('requests nothing more from an unreachable surface', async () => {
    const { session: walk, requests } = session([]);
    await assert.rejects(walk.page(from), { code: 'platform_unavailable' });
    await assert.rejects(walk.page(`${home}/other/`), { code: 'platform_unavailable' });
    assert.equal(requests.length, 1);
  });

  test('opens the next page after one that is too large', async () => {
    const { session: walk } = session([
      { url: from, body: 'x'.repeat(site.maxBytes + 1) },
      { pattern: '.', body: '{}' },
    ]);
    await assert.rejects(walk.page(from), { code: 'platform_changed' });
    assert.equal((await walk.page(`${home}/other/`)).text(), '{}');
  });
});
