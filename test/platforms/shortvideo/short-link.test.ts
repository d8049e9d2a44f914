import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { resolveAccount } from '../../../lib/platforms/shortvideo/short-link.js';
import { site } from '../../../lib/platforms/shortvideo/site.js';
import { type Route, routeSource } from '../../../lib/web/routes.js';

const link = 'https://vm.tiktok.com/ZMabc123/';
const ask = (...routes: readonly Route[]) => resolveAccount({ link }, routeSource('.', routes).open(site));

describe('a short link to an account', () => {
  test('is followed to the handle at its end', async () => {
    const finalUrl = 'https://www.tiktok.com/@Mira.Kettle?_t=8abc&_r=1';
    assert.equal(await ask({ url: link, finalUrl, body: '<html>' }), 'mira.kettle');
  });

  test('is no request where the handle is known', async () => {
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

  test('proves nothing where a page comes in place of the redirect', async () => {
    await assert.rejects(ask({ url: link, body: '<html><title>TikTok</title></html>' }), {
      type: 'platform',
    });
  });
});
