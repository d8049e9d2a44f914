import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { resolveAccount, resolveVideo } from '../../../lib/platforms/shortvideo/short-link.js';
import { site } from '../../../lib/platforms/shortvideo/site.js';
import { type Route, routeSource } from '../../../lib/web/routes.js';

const link = 'https://vm.tiktok.com/ZMabc123/';
const ask = (...routes: readonly Route[]) => resolveAccount({ link }, routeSource('.', routes).open(site));

describe('a short link to an account', () => {
  test('is followed to a username', async () => {
    const finalUrl = 'https://www.tiktok.com/@Mira.Kettle?_t=8abc&_r=1';
    assert.equal(await ask({ url: link, finalUrl, body: '<html>' }), 'mira.kettle');
  });

  test('needs no request if the username is known', async () => {
    const session = routeSource('.', []).open(site);
    assert.equal(await resolveAccount({ username: 'mira' }, session), 'mira');
  });

  for (const [what, route] of [
    ['to a video', { finalUrl: 'https://www.tiktok.com/@mira/video/7571863205253778710', body: '<html>' }],
    ['to the front page', { finalUrl: 'https://www.tiktok.com/', body: '<html>' }],
    ['nowhere', { status: 404, body: '<html>' }],
  ] as const) {
    test(`that leads ${what} is profile_not_found`, async () => {
      await assert.rejects(ask({ url: link, ...route }), { code: 'profile_not_found' });
    });
  }

  const shell = '<html><title>TikTok</title></html>';
  for (const [what, route] of [
    ['it is a page instead of a redirect', { body: shell }],
    ['it leads to another form of itself', { finalUrl: 'https://www.tiktok.com/t/ZMabc123', body: shell }],
    ['it leads to another page of the platform', { finalUrl: 'https://www.tiktok.com/foryou', body: shell }],
    [
      'the front page is a captcha',
      { finalUrl: 'https://www.tiktok.com/', body: '<html><title>Security Check</title></html>' },
    ],
  ] as const) {
    test(`proves nothing if ${what}`, async () => {
      await assert.rejects(ask({ url: link, ...route }), { type: 'platform' });
    });
  }
});

describe('a short link to a waiting page', () => {
  const body = '<html><body>Please wait...<p class="_wafchallengeid"></p></body></html>';

  test('still names its account or its video by the URL', async () => {
    assert.equal(await ask({ url: link, finalUrl: 'https://www.tiktok.com/@mira', body }), 'mira');
    const finalUrl = 'https://www.tiktok.com/@mira/video/7571863205253778710?_r=1';
    const session = routeSource('.', [{ url: link, finalUrl, body }]).open(site);
    const { id, page } = await resolveVideo({ id: null, link }, session);
    assert.deepEqual([id, page?.url], ['7571863205253778710', finalUrl]);
  });
});
