import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { packageRoot } from '../../lib/runtime/package-root.js';
import { type Run, replay, withoutCaptures } from '../support/replay.js';

const skip = withoutCaptures();
const _capture = (name: string): unknown =>
  JSON.parse(readFileSync(path.join(packageRoot(), '..', 'shared', 'captures', 'maps', name), 'utf8'));
const _body = (root: unknown) => `)]}'\n${JSON.stringify(root)}`;
const site = '^https://www\\.google\\.com';
const placeId = 'ChIJDdnwdv0y5xQRRytw1ihZQeU';
const _featureId = '0x14e732fd76f0d90d:0xe5415928d6702b47';
const placeBody = `${site}/maps/preview/place\\?authuser=0&hl=`;

function answered({ status, stdout, stderr }: Run) {
  assert.equal(status, 0, stderr);
  return JSON.parse(stdout) as {
    data: unknown;
    meta: { next_cursor: string | null; credits_charged: number };
  };
}

const refused = (run: Run) =>
  JSON.parse(run.stderr.split('\n').find((line) => line.startsWith('{')) ?? '{}').error?.code;

describe('the command over real maps bodies', { skip, concurrency: 2 }, () => {
  test('the shell of a place page is a refusal, not a missing place', async () => {
    const routes = [{ url: site, capture: 'maps/page_2026-03_alleya-mebeli_ru_shell.html' }];
    for (const args of [
      ['place', placeId],
      ['reviews', placeId],
      ['photos', placeId],
      ['places', 'coffee'],
    ]) {
      const run = await replay(routes, ['maps', ...args, '--json']);
      assert.deepEqual([run.status, refused(run)], [5, 'platform_blocked'], args.join(' '));
    }
  });

  test('a short link and the consent wall on the way', async () => {
    const link = 'https://maps.app.goo.gl/abc';
    const page = `https://www.google.com/maps/place/x/data=!4m2!3m1!1s0x14e732fd76f0d90d:0xe5415928d6702b47`;
    const wall = 'https://consent.google.com/m?continue=https://www.google.com/maps';
    const form =
      '<form action="https://consent.google.com/save" method="POST"><input type="hidden" name="set_eom" value="true"></form>';
    const routes = [
      { url: `^${link}$`, status: 302, headers: { location: page } },
      { url: `${site}/maps/place/x/data=`, body: '<html></html>' },
      { url: placeBody, status: 302, headers: { location: wall }, times: 1 },
      { url: '^https://consent\\.google\\.com/m\\?', body: form },
      {
        url: '^https://consent\\.google\\.com/save$',
        method: 'POST',
        requestBody: '^set_eom=true$',
        headers: { 'set-cookie': 'SOCS=no; Domain=.google.com; Path=/; Secure' },
        body: '',
      },
      { url: placeBody, capture: 'maps/gosom_place_kipriakon-limassol_2024-10_el.json' },
    ];
    const { data } = answered(await replay(routes, ['maps', 'place', link, '--json']));
    assert.equal((data as { place_id: string }).place_id, placeId);
  });

  test('the page about unusual traffic', async () => {
    const sorry = 'https://www.google.com/sorry/index?continue=https://www.google.com/maps';
    const routes = [
      { url: placeBody, status: 302, headers: { location: sorry } },
      { url: `${site}/sorry/`, status: 429, body: '<form id="captcha-form"></form>' },
    ];
    const run = await replay(routes, ['maps', 'place', placeId, '--json']);
    assert.equal(run.status, 5);
    assert.equal(run.stdout, '');
    assert.equal(refused(run), 'platform_rate_limited');
  });
});
