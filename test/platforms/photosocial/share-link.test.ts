import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { GuestSession } from '../../../lib/platforms/photosocial/guest-session.js';
import { usernameIn } from '../../../lib/platforms/photosocial/share-link.js';
import { site } from '../../../lib/platforms/photosocial/site.js';
import { type Route, routeSource } from '../../../lib/web/routes.js';

const share = 'https://www.instagram.com/share/BAinventedToken/';
const html = '<!doctype html><html><head><title>Instagram</title></head><body></body></html>';
const ask = (...routes: readonly Route[]) =>
  usernameIn(new GuestSession(routeSource('.', routes).open(site), null), { share });

describe('a share link to an account', () => {
  test('is followed to a username', async () => {
    const finalUrl = 'https://www.instagram.com/Harbor.Lantern/?igsh=abc';
    assert.equal(await ask({ url: share, finalUrl, body: html }), 'harbor.lantern');
  });

  test('with status 404 is profile_not_found', async () => {
    await assert.rejects(ask({ url: share, status: 404, body: html }), { code: 'profile_not_found' });
  });

  test('proves nothing if it leads to a login or to a page without data', async () => {
    const finalUrl = 'https://www.instagram.com/accounts/login/';
    await assert.rejects(ask({ url: share, finalUrl, body: html }), { type: 'platform' });
    await assert.rejects(ask({ url: share, body: html }), { type: 'platform' });
  });
});
