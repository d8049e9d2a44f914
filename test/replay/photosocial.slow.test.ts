import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, test } from 'node:test';
import { replay, withoutCaptures } from '../support/replay.js';

const skip = withoutCaptures();
const site = 'https://www\\.instagram\\.com';
const file = (name: string) => `photosocial/${name}`;
const natgeo = { url: `^${site}/natgeo/$`, capture: file('x26_profile_page_natgeo.html') };
const reel = { url: `^${site}/p/DdG4RIxIPyf/$`, capture: file('x26_post_page_reel_natgeo.html') };
const codeOf = (stderr: string) =>
  JSON.parse(stderr.split('\n').find((line) => line.startsWith('{')) ?? '{}').error?.code;

describe('the command over real photosocial pages', { skip, concurrency: 2 }, () => {
  test('a profile', async () => {
    const run = await replay([natgeo], ['photosocial', 'profile', '@NatGeo', '--json']);
    assert.equal(run.status, 0, run.stderr);
    const { data, meta } = JSON.parse(run.stdout);
    assert.equal(data.followers_count, 268457110);
    assert.equal(data.media_count, null);
    assert.equal(data.bio_links.length, 2);
    assert.equal(meta.credits_charged, 3);
  });

  test('a reel, by the address it is shared by', async () => {
    const run = await replay(
      [reel],
      ['photosocial', 'post', 'https://www.instagram.com/natgeo/reel/DdG4RIxIPyf/?igsh=x', '--json'],
    );
    assert.equal(run.status, 0, run.stderr);
    const { data } = JSON.parse(run.stdout);
    assert.equal(data.like_count, 78676);
    assert.equal(data.timestamp, '2026-09-10T13:00:14.000Z');
    assert.equal(data.is_paid_partnership, null);
  });

  test('posts, completed as far as their pages answer, with the way to the next ones', async () => {
    const run = await replay([natgeo, reel], ['photosocial', 'posts', 'natgeo', '--limit', '12', '--json']);
    assert.equal(run.status, 0, run.stderr);
    const { data, meta } = JSON.parse(run.stdout);
    assert.equal(data.length, 12);
    assert.equal(data[0].comments_count, 525);
    assert.equal(data[1].comments_count, null);
    assert.equal(typeof meta.next_cursor, 'string');
  });

  for (const [name, capture, code, status] of [
    ['login wall', 'x26_login_wall_page.html', 'platform_login_required', 5],
    ['error route, which proves nothing missing', 'x26_not_found_page.html', 'platform_restricted', 5],
    ['whole error route', 'error_route_2026-01_guru.html', 'platform_restricted', 5],
    ['missing account of 2020', 'g20_user_null.json', 'profile_not_found', 4],
    ['profile page without its data', 'x26_throttled_profile_page.html', 'platform_rate_limited', 5],
    ['post page without its data', 'x26_throttled_post_page.html', 'platform_rate_limited', 5],
  ] as const) {
    test(`${name}: ${code}`, async () => {
      const run = await replay(
        [{ url: `^${site}/`, capture: file(capture) }],
        ['photosocial', 'profile', 'natgeo', '--json'],
      );
      assert.equal(run.status, status, run.stderr);
      assert.equal(run.stdout, '');
      assert.equal(codeOf(run.stderr), code);
    });
  }

  test('the embed page of a reel that exists, with the error route: nothing is missing', async () => {
    const capture = file('embed_2026-07_cheffone_error-route.html');
    const everywhere = [{ url: `^${site}/`, capture }];
    const refused = await replay(everywhere, ['photosocial', 'post', 'DdG4RIxIPyf', '--json']);
    assert.equal(refused.status, 5, refused.stderr);
    assert.equal(codeOf(refused.stderr), 'platform_restricted');
    // What the page itself says stands, whatever its embed page comes to.
    for (const [page, args] of [
      [natgeo, ['photosocial', 'profile', 'natgeo']],
      [reel, ['photosocial', 'post', 'DdG4RIxIPyf']],
    ] as const) {
      const embed = { url: `^${site}/(?:p/DdG4RIxIPyf|natgeo)/embed`, capture };
      const plain = await replay([page], [...args, '--json']);
      const beside = await replay([embed, page], [...args, '--json']);
      assert.equal(beside.status, 0, beside.stderr);
      assert.deepEqual(JSON.parse(beside.stdout).data, JSON.parse(plain.stdout).data);
    }
  });

  test('a failed call keeps its pages, replays alike, and says what it saw', async () => {
    const dir = mkdtempSync(path.join(os.tmpdir(), 'extract-failed-'));
    try {
      const command = ['photosocial', 'post', 'DdG4RIxIPyf', '--json', '--debug'];
      const routes = [{ url: `^${site}/`, capture: file('error_route_2026-01_guru.html') }];
      const run = await replay(routes, [...command, '--save-pages', dir]);
      assert.equal(codeOf(run.stderr), 'platform_restricted');
      const { seen } = JSON.parse(run.stderr.split('\n').find((line) => line.includes('"seen"')) ?? '{}');
      assert.deepEqual(
        [seen[0].status, seen[0].bytes, seen[0].title, seen[0].names],
        [200, 793918, 'Instagram', ['PolarisErrorRoute']],
      );
      assert.match(seen[0].url, /embed/);
      assert.equal(seen[1].document, 'PolarisLoggedOutDesktopWWWPostRootContentQuery');
      const again = await replay([], [...command, '--from-pages', dir]);
      assert.equal(codeOf(again.stderr), 'platform_restricted');
      assert.equal(
        again.stderr.split('\n').find((line) => line.includes('"seen"')),
        JSON.stringify({ seen }),
      );
    } finally {
      rmSync(dir, { recursive: true, force: true });
    }
  });

  test('a profile page and a post page without data are answers, of their heads', async () => {
    const run = await replay(
      [{ url: `^${site}/`, capture: file('profile_page_2026-01_ulsaninsta_meta-only.html') }],
      ['photosocial', 'profile', 'ulsaninsta', '--json'],
    );
    assert.equal(run.status, 0, run.stderr);
    const { data } = JSON.parse(run.stdout);
    assert.deepEqual([data.followers_count, data.media_count, data.name], [5351, 713, '울산인스타']);
    const capture = file('post_page_2025-11_beginveganbegun_DQwT90GjOcG_meta-only.html');
    const routes = [{ url: `^${site}/`, capture }];
    const post = await replay(routes, ['photosocial', 'post', 'DQwT90GjOcG', '--json']);
    assert.equal(post.status, 0, post.stderr);
    assert.equal(JSON.parse(post.stdout).data.like_count, 13_000);
    const comments = await replay(routes, ['photosocial', 'comments', 'DQwT90GjOcG', '--json']);
    assert.equal(comments.status, 5);
    assert.equal(codeOf(comments.stderr), 'platform_restricted');
  });

  test('the older shapes: a profile of 2022 and one of 2021', async () => {
    for (const [capture, followers] of [
      ['g22_profile_user_robertdowneyjr.json', 52979346],
      ['v1_21_users_info_robertdowneyjr.json', 50857062],
    ] as const) {
      const run = await replay(
        [{ url: `^${site}/`, capture: file(capture) }],
        ['photosocial', 'profile', 'robertdowneyjr', '--json'],
      );
      assert.equal(run.status, 0, run.stderr);
      assert.equal(JSON.parse(run.stdout).data.followers_count, followers);
    }
  });

  test('the older shapes: a timeline of 2024', async () => {
    const run = await replay(
      [{ url: `^${site}/instagram/$`, capture: file('g24_timeline_edges_instagram.json') }],
      ['photosocial', 'posts', 'instagram', '--json'],
    );
    assert.equal(run.status, 0, run.stderr);
    const { data, meta } = JSON.parse(run.stdout);
    assert.equal(data.length, 20);
    assert.equal(data[0].view_count, 5123024);
    // Its cursor is for a document that is gone.
    assert.equal(meta.next_cursor, null);
  });
});
