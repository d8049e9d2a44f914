import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { resolveFeatureId } from '../../../lib/platforms/maps/resolve.js';
import { site } from '../../../lib/platforms/maps/site.js';
import type { PlaceKey } from '../../../lib/platforms/maps/urls.js';
import { type Route, routeSource } from '../../../lib/web/routes.js';

const fid = '0x14e732fd76f0d90d:0xe5415928d6702b47';
const cid = '16519582940102929223';
const placeId = 'ChIJDdnwdv0y5xQRRytw1ihZQeU';
const home = 'https://www.google.com';
const byCid = { url: `${home}/maps?cid=${cid}&hl=en` };
const link = 'https://maps.app.goo.gl/abc';

const ask = (key: PlaceKey, ...routes: readonly Route[]) =>
  resolveFeatureId(routeSource('.', routes).open(site), key);

describe('what a place_id stands for', () => {
  test('is known without a request', async () => assert.equal(await ask({ id: placeId }), fid));
});

describe('what a cid stands for', () => {
  test('is in the address that its page ends at', async () => {
    const finalUrl = `${home}/maps/place/Name/data=!4m2!3m1!1s${fid}`;
    assert.equal(await ask({ cid }, { ...byCid, finalUrl, body: '<html>' }), fid);
  });

  for (const [how, body] of [
    ['plainly', `<html>"0x1:0x2",["${fid}","Name"]`],
    ['escaped in an address', `<link href="/maps/preview/place?pb=!1m1!1s${fid.replace(':', '%3A')}">`],
    ['escaped twice', `<a href="x%253Dy${fid.replace(':', '%253A')}">`],
    [
      'in capitals, after one with the half of it',
      `"0x0:0xe5415928d6702b47" "${fid.toUpperCase().replaceAll('X', 'x')}"`,
    ],
  ]) {
    test(`or in the page’s text, ${how}`, async () =>
      assert.equal(await ask({ cid }, { ...byCid, body }), fid));
  }

  test('is not taken from another place on the page', async () => {
    const body = `<html>"0x1:0x2" "${fid}0"`;
    await assert.rejects(ask({ cid }, { ...byCid, body }), { code: 'platform_changed' });
    await assert.rejects(ask({ cid }, { ...byCid, body: '<html>no ids' }), { code: 'platform_blocked' });
  });

  test('is refused as its page is', async () => {
    await assert.rejects(ask({ cid }, { ...byCid, status: 404 }), { code: 'place_not_found' });
    await assert.rejects(ask({ cid }, { ...byCid, status: 503 }), { code: 'platform_unavailable' });
    await assert.rejects(ask({ cid }, { ...byCid, body: '<form id="captcha-form">' }), {
      code: 'platform_blocked',
    });
  });
});

describe('what a short link leads to', () => {
  const page = `${home}/maps/place/Name/@1,2,17z/data=!4m2!3m1!1s${fid}?g_st=ic`;

  test('is the address at its end', async () => {
    assert.equal(await ask({ link }, { url: link, finalUrl: page, body: '<html>' }), fid);
  });

  test('is read from a redirect that is not followed, where that names a place of the platform', async () => {
    const location = page.replace('www.google.com', 'www.google.gr');
    assert.equal(await ask({ link }, { url: link, status: 302, headers: { location } }), fid);
  });

  test('is read from the consent wall without passing it', async () => {
    const finalUrl = `https://consent.google.com/ml?continue=${encodeURIComponent(page)}&gl=GR`;
    assert.equal(await ask({ link }, { url: link, finalUrl, body: '<html>' }), fid);
  });

  test('may be a cid, which is requested in turn', async () => {
    const finalUrl = `${home}/maps?cid=${cid}`;
    const routes = [
      { url: link, finalUrl, body: '<html>' },
      { ...byCid, body: `"${fid}"` },
    ];
    assert.equal(await ask({ link }, ...routes), fid);
  });

  test('is read from the search that a knowledge link leads to, where that names the place', async () => {
    const knowledge = 'https://g.co/kgs/AbCd12';
    const finalUrl = `${home}/search?q=Name&ludocid=${cid}`;
    const routes = [
      { url: knowledge, finalUrl, body: '<html>' },
      { ...byCid, body: `"${fid}"` },
    ];
    assert.equal(await ask({ link: knowledge }, ...routes), fid);
  });

  for (const [name, route] of [
    [
      'leads off the platform',
      { status: 302, headers: { location: `https://evil.example/maps?ftid=${fid}` } },
    ],
    ['leads to no place', { finalUrl: `${home}/maps/@1,2,17z`, body: '<html>' }],
    ['leads to a search of the map', { finalUrl: `${home}/maps/search/coffee/@1,2,17z`, body: '<html>' }],
    ['is gone', { status: 404 }],
  ] as const) {
    test(`is place_not_found where it ${name}`, async () => {
      await assert.rejects(ask({ link }, { url: link, ...route }), { code: 'place_not_found' });
    });
  }

  for (const [name, route] of [
    ['leads to another link', { status: 302, headers: { location: 'https://goo.gl/maps/again' } }],
    [
      'leads to a search that knows the place by another ID',
      { finalUrl: `${home}/search?q=Name&kgmid=/g/11x` },
    ],
    ['leads to a place by its name', { finalUrl: `${home}/maps/place/Name,+Street+1/@1,2,17z` }],
    ['leads to what people typed', { finalUrl: 'https://maps.google.com/maps?q=Name,+Street+1' }],
  ] as const) {
    test(`is platform_changed where it ${name}: that does not prove that there is no place`, async () => {
      await assert.rejects(ask({ link }, { url: link, body: '<html>', ...route }), {
        code: 'platform_changed',
        message: /does not say which place it shows\. Open it, and use the URL/,
      });
    });
  }

  test('is a refusal where a page comes in place of the redirect: that proves no link dead', async () => {
    await assert.rejects(ask({ link }, { url: link, body: '<html><title>Google Maps</title></html>' }), {
      code: 'platform_blocked',
    });
  });

  test('is refused as its page is', async () => {
    await assert.rejects(ask({ link }, { url: link, status: 429 }), { code: 'platform_rate_limited' });
    await assert.rejects(ask({ link }, { url: link, status: 500 }), { code: 'platform_unavailable' });
  });
});
