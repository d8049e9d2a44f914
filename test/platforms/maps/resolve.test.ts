import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { resolveFeatureId } from '../../../lib/platforms/maps/resolve.js';
import { site } from '../../../lib/platforms/maps/site.js';
import type { PlaceKey } from '../../../lib/platforms/maps/urls.js';
import { type Route, routeSource } from '../../../lib/web/routes.js';
import { rejectedCode } from '../../support/error-code.js';

const fid = '0x14e732fd76f0d90d:0xe5415928d6702b47';
const cid = '16519582940102929223';
const placeId = 'ChIJDdnwdv0y5xQRRytw1ihZQeU';
const home = 'https://www.google.com';
const byCid = { url: `${home}/maps?cid=${cid}&hl=en` };
const link = 'https://maps.app.goo.gl/abc';

const ask = (key: PlaceKey, ...routes: readonly Route[]) =>
  resolveFeatureId(routeSource('.', routes).open(site), key);

const codeOf = (...call: Parameters<typeof ask>) => rejectedCode(ask(...call));

test('a place_id is resolved without a request', async () => assert.equal(await ask({ id: placeId }), fid));

describe('the place of a cid', () => {
  const half = '0x0:0xe5415928d6702b47';
  for (const [how, route] of [
    ['in the final URL of its page', { finalUrl: `${home}/maps/place/Name/data=!4m2!3m1!1s${fid}` }],
    ['plainly in the page’s text', { body: `<html>"0x1:0x2",["${fid}","Name"]` }],
    ['escaped in a URL', { body: `<link href="/maps/preview/place?pb=!1m1!1s${fid.replace(':', '%3A')}">` }],
    ['escaped twice', { body: `<a href="x%253Dy${fid.replace(':', '%253A')}">` }],
    [
      'in capitals, after its incomplete form',
      { body: `"${half}" "${fid.toUpperCase().replaceAll('X', 'x')}"` },
    ],
  ] as const) {
    test(`is found ${how}`, async () =>
      assert.equal(await ask({ cid }, { ...byCid, body: '<html>', ...route }), fid));
  }

  for (const [name, route, code] of [
    ['names other places', { body: `<html>"0x1:0x2" "${fid}0"` }, 'platform_changed'],
    ['names no place', { body: '<html>no ids' }, 'platform_blocked'],
    ['is missing', { status: 404 }, 'place_not_found'],
    ['fails', { status: 503 }, 'platform_unavailable'],
    ['is a captcha', { body: '<form id="captcha-form">' }, 'platform_blocked'],
  ] as const) {
    test(`is ${code} if its page ${name}`, async () =>
      assert.equal(await codeOf({ cid }, { ...byCid, ...route }), code));
  }
});

describe('the place of a short link', () => {
  const page = `${home}/maps/place/Name/@1,2,17z/data=!4m2!3m1!1s${fid}?g_st=ic`;
  const location = page.replace('www.google.com', 'www.google.gr');
  const wall = `https://consent.google.com/ml?continue=${encodeURIComponent(page)}&gl=GR`;

  for (const [name, url, route] of [
    ['in its final URL', link, { finalUrl: page }],
    ['in a redirect that is not followed', link, { status: 302, headers: { location } }],
    ['in the URL behind a consent wall', link, { finalUrl: wall }],
    ['that of a cid, which is requested next', link, { finalUrl: `${home}/maps?cid=${cid}` }],
    [
      'that of a search with a cid',
      'https://g.co/kgs/AbCd12',
      { finalUrl: `${home}/search?q=Name&ludocid=${cid}` },
    ],
  ] as const) {
    test(`is ${name}`, async () => {
      const answers = [
        { url, body: '<html>', ...route },
        { ...byCid, body: `"${fid}"` },
      ];
      assert.equal(await ask({ link: url }, ...answers), fid);
    });
  }

  const to = (location: string) => ({ status: 302, headers: { location } });
  for (const [name, route, code] of [
    ['leads off the platform', to(`https://evil.example/maps?ftid=${fid}`), 'place_not_found'],
    ['leads to no place', { finalUrl: `${home}/maps/@1,2,17z`, body: '<html>' }, 'place_not_found'],
    ['leads to a search', { finalUrl: `${home}/maps/search/x/@1,2,17z`, body: '<html>' }, 'place_not_found'],
    ['is missing', { status: 404 }, 'place_not_found'],
    // A page in place of a redirect does not prove the link dead.
    ['is a page', { body: '<html><title>Google Maps</title></html>' }, 'platform_blocked'],
    ['is limited', { status: 429 }, 'platform_rate_limited'],
    ['fails', { status: 500 }, 'platform_unavailable'],
  ] as const) {
    test(`is ${code} if the link ${name}`, async () =>
      assert.equal(await codeOf({ link }, { url: link, ...route }), code));
  }

  for (const [name, route] of [
    ['leads to another link', to('https://goo.gl/maps/again')],
    ['leads to a search with another ID', { finalUrl: `${home}/search?q=Name&kgmid=/g/11x` }],
    ['leads to a place by its name', { finalUrl: `${home}/maps/place/Name,+Street+1/@1,2,17z` }],
    ['leads to typed words', { finalUrl: 'https://maps.google.com/maps?q=Name,+Street+1' }],
  ] as const) {
    test(`is platform_changed, not missing, if the link ${name}`, async () => {
      await assert.rejects(ask({ link }, { url: link, body: '<html>', ...route }), {
        code: 'platform_changed',
        message: /does not say which place it shows\. Open it, and use the URL/,
      });
    });
  }
});
