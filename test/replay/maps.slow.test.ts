import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { packageRoot } from '../../lib/runtime/package-root.js';
import { type Run, replay, withoutCaptures } from '../support/replay.js';
import { sparse } from '../support/sparse.js';

const skip = withoutCaptures();
const capture = (name: string): unknown =>
  JSON.parse(readFileSync(path.join(packageRoot(), '..', 'shared', 'captures', 'maps', name), 'utf8'));
const body = (root: unknown) => `)]}'\n${JSON.stringify(root)}`;
const site = '^https://www\\.google\\.com';
const placeId = 'ChIJDdnwdv0y5xQRRytw1ihZQeU';
const featureId = '0x14e732fd76f0d90d:0xe5415928d6702b47';
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

  test('a place in Greek', async () => {
    const file = 'maps/gosom_place_kipriakon-limassol_2024-10_el.json';
    const routes = [{ url: `${placeBody}el&pb=.*0x14e732fd76f0d90d`, capture: file }];
    const run = await replay(routes, ['maps', 'place', placeId, '--language', 'el', '--json']);
    const { data, meta } = answered(run) as {
      data: Record<string, unknown>;
      meta: { credits_charged: number };
    };
    assert.deepEqual([data.name, data.rating, data.user_ratings_total], ['Κυπριακόν', 4.1, 516]);
    assert.equal(meta.credits_charged, 3);
  });

  test('a search of twenty places, with a cursor for more', async () => {
    const file = 'maps/gosom_search_coffee-athens_2024-12_en.json';
    const routes = [{ url: `${site}/search\\?tbm=map`, capture: file }];
    const first = answered(await replay(routes, ['maps', 'places', '--query', 'coffee', '--json']));
    assert.equal((first.data as unknown[]).length, 20);
    assert.equal(typeof first.meta.next_cursor, 'string');
  });

  test('reviews, whose token becomes a cursor', async () => {
    const file = 'maps/kit_reviews_boq_trimmed-2-rows_bengaluru_2026-07.json';
    const routes = [
      { url: `${site}/httpservice/web/PrivateLocalSearchUiDataService/GetLocalBoqProxy`, capture: file },
    ];
    // The place that the two rows are about; their addresses leave its first number out.
    const url = 'https://www.google.com/maps/place/data=!4m2!3m1!1s0x1:0x9fe54cd44a84f1c7';
    const { data, meta } = answered(await replay(routes, ['maps', 'reviews', '--url', url, '--json']));
    assert.equal((data as unknown[]).length, 2);
    assert.equal(typeof meta.next_cursor, 'string');
  });

  test('photos of the gallery inside a place body', async () => {
    const tab = skip
      ? null
      : capture('kit_photos_place-preview-node105_trimmed-3-rows_kake-di-hatti_2026-07.json');
    const routes = [{ url: `${placeBody}en`, body: body(sparse([[6, 10], featureId], [[6, 105], tab])) }];
    const { data } = answered(await replay(routes, ['maps', 'photos', placeId, '--json']));
    assert.deepEqual(
      (data as { width: number }[]).map(({ width }) => width),
      [1653, 2268, 1080],
    );
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
